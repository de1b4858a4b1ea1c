/** The parser of a command line: of all commands, only those that its words lead to are built. */
import { Command, Option } from 'commander'
import { isPaged } from '@purlin/contract/client'
import { flagsOf, type Flag } from '@purlin/contract/commands/flags'
import type { Given } from '@purlin/contract/commands/values'
import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { exitCodes } from '../errors.ts'
import type { Io } from '../io.ts'
import type { GivenFlags } from './arguments.ts'
import type { LocalCommand, Options } from './local.ts'
import type { OwnFlags } from './operation.ts'
import { keptOf } from './kept.ts'
import { isCommand, type CommandNode } from './tree.ts'
import { watchedOf } from './wait.ts'

/** The texts of the help, which are loaded when it is shown. */
export interface Texts {
  title: (name: OperationName) => string
  about: (name: OperationName) => string
  /** `isKept`: the present value stays unless the flag is given. */
  flag: (flag: Flag, isKept: boolean) => string
}
const noTexts: Texts = { title: () => '', about: () => '', flag: () => '' }

/** Called with the command of a line, once it is parsed. */
export interface Runs {
  operation: (name: OperationName, own: OwnFlags & { flags: GivenFlags }) => Promise<void>
  local: (command: LocalCommand, options: Options) => Promise<void>
}

interface Building {
  io: Io
  texts: Texts
  runs: Runs
}

/** The parser for a line of words. */
export function programOf(
  root: CommandNode,
  line: readonly string[],
  { texts = noTexts, ...rest }: Omit<Building, 'texts'> & { texts?: Texts | undefined },
): Command {
  const program = prepared(new Command('purlin'), rest.io)
  program.description('Use the API of Purlin from the command line.')
  program.option('--version', 'Show the version').addHelpText('after', `\n${surroundings}\n${exits}`)
  addChildren(program, { node: root, line, building: { texts, ...rest } })
  return program
}

const surroundings = `Environment:
  PURLIN_HOST, PURLIN_TOKEN  The server and a token for it, instead of a profile
  XDG_CONFIG_HOME            The folder of the profiles is purlin in it; ~/.config unless given
`
const exits = `Exit codes:\n   0  success\n${Object.values(exitCodes)
  .map(([code, meaning]) => `${String(code).padStart(4)}  ${meaning}`)
  .join('\n')}`

function prepared(command: Command, io: Io): Command {
  return command
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ helpWidth: io.stdout.columns ?? 100, sortSubcommands: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
}

interface At {
  node: CommandNode
  line: readonly string[]
  building: Building
}

function addChildren(parent: Command, { node, line, building }: At): void {
  const [word, ...rest] = line
  for (const child of node.children.values()) {
    const command = prepared(parent.command(child.word), building.io)
    describe(command, child, building.texts)
    if (child.word !== word) continue
    if (child.operation) addOperation(command, child.operation, building)
    if (child.local) addLocal(command, child.local, building)
    addChildren(command, { node: child, line: rest, building })
  }
}

function describe(command: Command, node: CommandNode, texts: Texts): void {
  const count = node.children.size
  const own = node.operation ? texts.title(node.operation) : node.local?.about
  command.summary(own ?? `${count} ${count === 1 ? 'command' : 'commands'}`)
  command.description(node.operation ? texts.about(node.operation) : node.local ? `${node.local.about}.` : '')
  command.usage(isCommand(node) ? '[flags]' : '<command>')
}

function addLocal(command: Command, local: LocalCommand, { runs }: Building): void {
  for (const { flags, about, isRequired } of local.options)
    command.addOption(new Option(flags, about).makeOptionMandatory(isRequired === true))
  command.action((options: Options) => runs.local(local, options))
}

/** Values of a flag in their order. */
const collect = (text: string, before: unknown): string[] => [
  ...(Array.isArray(before) ? (before as string[]) : []),
  text,
]

const canBeEmpty = ({ node, isNullable, isList }: Flag): boolean =>
  node.kind === 'boolean' || isNullable || isList

/** The word for the value of a flag in the help. */
function placeholder({ node, isList }: Flag): string {
  switch (node.kind) {
    case 'boolean':
      return ' [boolean]'
    case 'enum':
    case 'string':
      return isList ? ' <value…>' : ' <value>'
    case 'integer':
    case 'number':
      return ' <number>'
    case 'time':
      return ' <time>'
    case 'bytes':
    case 'base64':
      return ' <base64|@file>'
    default:
      return isList ? ' <json…>' : ' <json>'
  }
}

function addOperation(command: Command, name: OperationName, { texts, runs }: Building): void {
  const kept = keptOf(name)?.fields ?? []
  const flags = flagsOf(operations[name], name).map((flag) => {
    const isKept = kept.length > 1 && flag.part === 'body' && kept.includes(flag.path[0] ?? '')
    const about = texts.flag(flag, isKept && flag.isRequired)
    const option = new Option(`--${flag.name}${placeholder(flag)}`, about).argParser(collect)
    option.variadic = false
    command.addOption(option)
    if (canBeEmpty(flag)) command.addOption(new Option(`--no-${flag.name}`).hideHelp())
    return [flag.name, option.attributeName()] as const
  })
  const own = ownOptions(name).map(([words, about]) => {
    const option = new Option(words, about)
    if (words.includes('…')) option.argParser(collect)
    command.addOption(option)
    return option.attributeName()
  })
  command.action((options: Record<string, unknown>) => {
    const given = flags.map(([flag, key]) => [flag, givenOf(options[key])])
    const others = Object.fromEntries(own.map((key) => [key, options[key]])) as OwnFlags
    return runs.operation(name, { ...others, flags: Object.fromEntries(given) as GivenFlags })
  })
}

const givenOf = (value: unknown): Given | undefined =>
  value === true ? ['true'] : (value as Given | undefined)

/** The flags of a command in addition to those of its fields. */
export function ownOptions(name: OperationName): readonly (readonly [string, string])[] {
  const op: OpShape = operations[name]
  const states = watchedOf(name)?.states
  return [
    ...(isPaged(op) ? [['--all', 'Read all pages.'] as const] : []),
    ...(op.body
      ? [['--file <file>', 'A file with the body; - is standard input. Flags replace its fields.'] as const]
      : []),
    ...(op.streams ? [['--output <file>', 'A new file for the answer.'] as const] : []),
    ...(name === 'instanceCreate' || name === 'instanceUpdate'
      ? [['--size <name>', 'A size that operators keep, in place of --ncpus and --memory.'] as const]
      : []),
    ...(name === 'instanceCreate'
      ? ([
          ['--template <name>', 'A template of user data of the project, to be filled in.'],
          ['--field <name=value…>', 'The value of one of its fields; name=@FILE is the text of a file.'],
        ] as const)
      : []),
    ...(states
      ? ([
          ['--wait <state>', `Wait until the state is one of: ${states.join(', ')}.`],
          ['--wait-timeout <seconds>', 'How long to wait; 600 unless given.'],
        ] as const)
      : []),
    ['--json', 'Print JSON.'],
    ['--profile <name>', 'The profile; the current one unless given.'],
  ]
}
