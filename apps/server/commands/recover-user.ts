/** `npm run recover -- --silo SILO --user USER [flags of the server]`: gives a local user a new password. */
import { recoverUser } from '@purlin/core'
import { openExisting } from '../storage/existing.ts'
import { ConfigError } from '../process/config-values.ts'
import { createPasswords } from '../process/passwords.ts'
import { systemIds } from '../process/ports.ts'
import { runCommand } from './command.ts'

const usage = 'give --silo and --user, and the --data-dir or --database-url of the server'

/** Prints the password, also while servers run. The exit code is 0, 1 for a failure, 2 for invalid flags. */
export const main = (argv: string[]): Promise<number> =>
  runCommand(argv, {
    own: ['silo', 'user'],
    usage,
    async run({ silo, user }, config) {
      if (silo === undefined || user === undefined) throw new ConfigError(usage)
      const { engine, clock } = openExisting(config)
      try {
        const world = { engine, clock, ids: systemIds, passwords: createPasswords() }
        const password = await recoverUser(world, { silo, user })
        console.log(
          `The new password of ${user} in silo ${silo} is\n  ${password}\n` +
            'Keep it: it is not shown again. Sessions and access tokens of the user have ended; servers that run\n' +
            'notice it within a minute. The audit log has an entry about it.',
        )
      } finally {
        await engine.close()
      }
      return 0
    },
  })
