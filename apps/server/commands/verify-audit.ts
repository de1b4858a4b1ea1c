/** `npm run audit -- [--head HASH] [flags of the server]`: verifies the chain of hashes of the audit log. */
import { verifyAuditLog, type Verified } from '@purlin/core'
import { openExisting } from '../storage/existing.ts'
import { runCommand } from './command.ts'
import { ConfigError } from '../process/config-values.ts'
import { systemSha256 } from '../process/ports.ts'

/** Prints the result. The exit code is 0 for an unbroken chain, 1 for any other, 2 for invalid flags. */
export const main = (argv: string[]): Promise<number> =>
  runCommand(argv, {
    own: ['head'],
    usage: 'give --data-dir or --database-url, and --head for a known hash',
    async run({ head }, config) {
      if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
        throw new ConfigError('--head must be a hash of 64 hexadecimal digits')
      // A server may be using the database at the same time.
      const { engine } = openExisting(config, { readOnly: true })
      try {
        const found = await verifyAuditLog({ engine, sha256: systemSha256 }, head)
        console.log(report(found))
        return found.problem === undefined ? 0 : 1
      } finally {
        await engine.close()
      }
    },
  })

function report({ entries, first, last, head, problem }: Verified): string {
  const range =
    first === null || last === null
      ? ''
      : `, from ${new Date(first).toISOString()} to ${new Date(last).toISOString()}`
  const counted = `${entries} ${entries === 1 ? 'entry' : 'entries'}${range}`
  return problem === undefined
    ? `The audit log is unbroken: ${counted}.\nIts last hash is ${head}`
    : `The audit log is broken after ${counted}: ${problem}.`
}
