/** The command line: parses a line, runs its command, and gives the exit code. */
import { programOf, type Texts } from './commands/program.ts'
import { commandTree, isCommand, nodeOf, type CommandNode } from './commands/tree.ts'
import { reported } from './errors.ts'
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
    else await parse(io, line)
    return 0
  } catch (error) {
    const { code, text } = reported(error)
    if (text) await write(io.stderr, `${text}\n`).catch(() => undefined)
    return code
  }
}

async function parse(io: Io, line: readonly string[]): Promise<void> {
  const root = commandTree()
  const program = programOf(root, line, {
    io,
    texts: await textsFor(root, line),
    runs: {
      operation: async (name, own) => (await import('./commands/operation.ts')).runOperation(io, name, own),
      local: (command, options) => command.run(io, options),
    },
  })
  await program.parseAsync([...line], { from: 'user' })
}
