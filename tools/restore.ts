/** `npm run restore`: restores a backup. */
const { main } = await import('@purlin/server/backup/restore-command')
process.exitCode = await main(process.argv.slice(2))
