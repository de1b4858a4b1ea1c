import { renameSync, writeFileSync } from 'node:fs'

/** Writes a file that only its user can read. Either all of it is on the disk, or what was there before. */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.new`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  renameSync(draft, file)
}
