/** `npm run backup -- --to FOLDER [--keep NUMBER] [flags of the server]`: backs up a server, also while it runs. */
import { makeBackup, type Made } from './make.ts'
import { openExisting } from '../storage/existing.ts'
import { runCommand } from '../commands/command.ts'
import { backupsKept, ConfigError } from '../process/config-values.ts'

/** Makes a backup. The exit code is 0, 1 for a failure, 2 for invalid flags. */
export const main = (argv: string[]): Promise<number> =>
  runCommand(argv, {
    own: ['to', 'keep'],
    usage: 'give --to FOLDER, --keep NUMBER to delete older backups, and the flags of the server',
    async run({ to, keep }, { dataDir, databaseUrl }) {
      if (to === undefined || to === '') throw new ConfigError('give the folder of backups: --to FOLDER')
      const kept = keep === undefined ? undefined : keptOf(keep)
      process.umask(0o077)
      const { engine, clock, place } = openExisting({ dataDir, databaseUrl })
      try {
        const of = { around: { engine, clock }, dataDir, databaseUrl, place: await place?.(), to, keep: kept }
        console.log(report(await makeBackup(of), to))
        return 0
      } finally {
        await engine.close()
      }
    },
  })

function keptOf(text: string): number {
  try {
    return backupsKept(text)
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`--keep: ${error.message}`, { cause: error }) : error
  }
}

const mostNamed = 10
const listed = (paths: readonly string[]): string =>
  [...paths.slice(0, mostNamed), ...(paths.length > mostNamed ? ['…'] : [])]
    .map((path) => `\n  ${path}`)
    .join('')

const counted = (machines: number) => (machines === 1 ? 'a running machine' : `${machines} running machines`)

function report(made: Made, to: string): string {
  const { id, bytes, newBytes, files, rows, missing, unknown, machines, removed } = made
  const lines = [
    `Backup ${id} is in ${to}: ${rows} rows, ${files} files, ${bytes} bytes, of which ${newBytes} are new.`,
  ]
  if (removed.length > 0) lines.push(`Older backups were deleted: ${removed.join(', ')}`)
  if (missing.length > 0)
    lines.push(`Missing, because the data folder does not have them: ${missing.length}${listed(missing)}`)
  if (unknown.length > 0)
    lines.push(`Not copied, because they are not files of this database: ${unknown.length}${listed(unknown)}`)
  if (machines > 0)
    lines.push(
      `Copied while guests wrote to them: the disks of ${counted(machines)}. Only their snapshots are of one moment.`,
    )
  return lines.join('\n')
}
