/** `npm run backup`: backs up a server. */
const { main } = await import('@purlin/server/backup/backup-command')
process.exitCode = await main(process.argv.slice(2))
