/** Runs commands as a shell does: it takes them apart, and the command line runs their words in this process. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openShell, type Ran } from '@purlin/cli/testing/shell'

// A program starts in a third of a second, and a shell in milliseconds. Each command writes its words and its input.
const taken = String.raw`exec </dev/null
purlin() { printf '%s\0' "$@"; printf '\036'; cat; printf '\037'; }
`

async function linesOf(commands: string): Promise<{ words: string[]; input: string }[]> {
  const { stdout } = await promisify(execFile)('sh', ['-c', taken + commands])
  return stdout
    .split('\x1f')
    .slice(0, -1)
    .map((line) => {
      const [words = '', input = ''] = line.split('\x1e')
      return { words: words.split('\0').slice(0, -1), input }
    })
}

export interface Runner {
  /** Runs commands one after the other; the last result. */
  run: (commands: string, env: Record<string, string>) => Promise<Ran>
  close: () => void
}

/** The file that commands call FILE has a secret. */
export function openRunner(): Runner {
  const shell = openShell()
  const file = join(shell.home, 'secret')
  writeFileSync(file, 'SECRET')
  const named = (word: string) => word.replace(/^(@?)FILE$/, `$1${file}`)
  return {
    run: async (commands, env) => {
      let last: Ran = { code: 1, out: '', err: 'there is no command' }
      for (const { words, input } of await linesOf(commands))
        last = await shell.run(words.map(named), { env, stdin: input })
      return last
    },
    close: () => shell.close(),
  }
}
