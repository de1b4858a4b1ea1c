/** `npm run allow-any`: lifts the allow list of source addresses. */
const { main } = await import('@purlin/server/commands/lift-allow-list')
process.exitCode = await main(process.argv.slice(2))
