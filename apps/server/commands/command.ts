/** Commands that work on the data of a server: their flags, in addition to the server's, and their exit codes. */
import { messageOf } from '@purlin/databases/error-codes'
import { parseArgs } from 'node:util'
import { readConfig, type Config } from '../process/config.ts'
import { ConfigError } from '../process/config-values.ts'

/** The values of a command's own flags, by name. */
export type OwnFlags<Name extends string> = Partial<Record<Name, string>>

interface Command<Name extends string> {
  /** The names of its further flags, each of which has a value. */
  own: readonly Name[]
  /** The answer to `--help`. */
  usage: string
  /** Returns the exit code. */
  run: (own: OwnFlags<Name>, config: Config) => Promise<number>
}

/** Runs a command. The exit code is 1 for a failure and 2 for invalid flags, whose reasons are printed. */
export async function runCommand<Name extends string>(
  argv: readonly string[],
  { own, usage, run }: Command<Name>,
): Promise<number> {
  try {
    const { values, rest } = split(argv, own)
    const command = readConfig(rest, process.env)
    if (command.at !== 'run') {
      console.log(`${usage.slice(0, 1).toUpperCase()}${usage.slice(1)}, which npm start -- --help lists.`)
      return 0
    }
    return await run(values, command.config)
  } catch (error) {
    console.error(`purlin: ${messageOf(error)}`)
    return error instanceof ConfigError ? 2 : 1
  }
}

/** Separates a command's own flags from those of the server. */
function split<Name extends string>(
  argv: readonly string[],
  own: readonly Name[],
): { values: OwnFlags<Name>; rest: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(own.map((name) => [name, { type: 'string' as const }])),
    strict: false,
    tokens: true,
  })
  const values: OwnFlags<Name> = {}
  const ours = new Set<number>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const name = own.find((one) => one === token.name)
    if (name === undefined) continue
    if (token.value === undefined) throw new ConfigError(`--${name} needs a value`)
    values[name] = token.value
    ours.add(token.index)
    if (!token.inlineValue) ours.add(token.index + 1)
  }
  return { values, rest: argv.filter((_, i) => !ours.has(i)) }
}
