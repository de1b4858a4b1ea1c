/** `npm run recover`: gives a local user a new password. */
const { main } = await import('@purlin/server/commands/recover-user')
process.exitCode = await main(process.argv.slice(2))
