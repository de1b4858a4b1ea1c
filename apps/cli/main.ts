/** The command line: parses a line, runs its command, and gives the exit code. */
import { programOf, type Texts } from './commands/program.ts'
import { commandTree, isCommand, nodeOf, type CommandNode } from './commands/tree.ts'
import { CliError, exitCodes, reported } from './errors.ts'
import { write, type Io } from './io.ts'
import { version } from './version.ts'

const asksForHelp = (line: readonly string[]): boolean =>
  line.some((word) => word === '--help' || word === '-h')

/** The texts are loaded only for help: they are as large as the rest. */
async function textsFor(root: CommandNode, line: readonly string[]): Promise<Texts | undefined> {
  const isHelp = asksForHelp(line) || !isCommand(nodeOf(root, line))
  return isHelp ? (await import('./commands/texts.ts')).texts : undefined
}

/** Runs a line of words, without the name of the program. Never throws; returns the exit code. */
export async function run(io: Io, line: readonly string[]): Promise<number> {
  try {
    if (line[0] === '--version') await write(io.stdout, `${version}\n`)
    else if (line[0] === 'complete')
      await (await import('./completion/complete.ts')).complete(io, line.slice(1))
    else if (line[0] === 'watch' && line[1] !== undefined && !line[1].startsWith('-'))
      await parse(io, line.slice(1), true)
    else await parse(io, line)
    return 0
  } catch (error) {
    if (io.signal.aborted) return exitCodes.interrupted[0]
    const { code, text } = reported(error)
    if (text) await write(io.stderr, `${text}\n`).catch(() => undefined)
    return code
  }
}

/** Parses a line, and runs its command or watches its answer. */
async function parse(io: Io, line: readonly string[], isWatched = false): Promise<void> {
  const root = commandTree()
  const program = programOf(root, line, {
    io,
    texts: await textsFor(root, line),
    runs: {
      operation: async (name, own) =>
        isWatched
          ? (await import('./watch/watch.ts')).watch(io, name, own)
          : (await import('./commands/operation.ts')).runOperation(io, name, own),
      local: async (command, options) => {
        if (isWatched) throw new CliError('usage', 'only commands that read can be watched')
        await command.run(io, options)
      },
    },
  })
  await program.parseAsync([...line], { from: 'user' })
}
