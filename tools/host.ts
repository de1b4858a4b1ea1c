/** `npm run host -- [flags]`: runs machines for the servers of a fleet. */
const { main } = await import('@purlin/server/host/host')
await main(process.argv.slice(2))
