/** `npm run allow-any -- [flags of the server]`: accepts requests from any source address again. */
import { liftAllowList } from '@purlin/core'
import { openExisting } from '../storage/existing.ts'
import { systemIds } from '../process/ports.ts'
import { runCommand } from './command.ts'

/** Lifts the allow list, also while servers run. The exit code is 0, 1 for a failure, 2 for invalid flags. */
export const main = (argv: string[]): Promise<number> =>
  runCommand(argv, {
    own: [],
    usage: 'give the --data-dir or --database-url of the server',
    async run(_, config) {
      const { engine, clock } = openExisting(config)
      try {
        await liftAllowList({ engine, clock, ids: systemIds })
      } finally {
        await engine.close()
      }
      console.log('Requests are accepted from any address again. Servers that run notice it within a minute.')
      return 0
    },
  })
