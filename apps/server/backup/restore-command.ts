/** `npm run restore -- --from FOLDER [--backup ID] [flags of the server]`: restores a backup on a fresh machine. */
import { timeOf, type Manifest } from './manifest.ts'
import { restoreBackup } from './restore.ts'
import { runCommand } from '../commands/command.ts'
import { ConfigError } from '../process/config-values.ts'

/** Restores a backup. The exit code is 0, 1 for a failure, 2 for invalid flags. */
export const main = (argv: string[]): Promise<number> =>
  runCommand(argv, {
    own: ['from', 'backup'],
    usage: 'give --from FOLDER, --backup ID for another backup than the last, and the flags of the server',
    async run({ from, backup }, { dataDir, databaseUrl }) {
      if (from === undefined || from === '')
        throw new ConfigError('give the folder of backups: --from FOLDER')
      process.umask(0o077)
      console.log(report(await restoreBackup({ from, id: backup, dataDir, databaseUrl }), dataDir))
      return 0
    },
  })

function report({ id, version, rows, files, missing }: Manifest, dataDir: string): string {
  const counts = Object.values(rows)
  const count = counts.reduce((sum, n) => sum + n, 0)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const lines = [
    `Backup ${id} is restored in ${dataDir}.`,
    `  made      ${timeOf(id)} by version ${version}`,
    `  rows      ${count} in ${counts.length} tables`,
    `  bytes     ${bytes} in ${files.length} files, all of them verified`,
  ]
  if (missing.length > 0)
    lines.push(`  missing   ${missing.length} files, which the backed-up server had lost before`)
  return lines.join('\n')
}
