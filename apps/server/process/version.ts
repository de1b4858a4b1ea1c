/** The version of this program. */
import { readFileSync } from 'node:fs'

/** As `--version` prints it. */
export const version = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
    .version
