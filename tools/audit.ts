/** `npm run audit`: verifies the audit log of a server. */
const { main } = await import('@purlin/server/commands/verify-audit')
process.exitCode = await main(process.argv.slice(2))
