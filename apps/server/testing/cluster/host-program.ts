/** The program of a host, without the installation of what is missing. */
import { main } from '@purlin/server/host/host'

await main(process.argv.slice(2))
