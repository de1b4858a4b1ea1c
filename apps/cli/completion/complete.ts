/** The words that can follow in a line: commands, flags, and values that the contract knows. */
import { flagsOf } from '@purlin/contract/commands/flags'
import { operations } from '@purlin/contract/operations'
import { choicesOf } from '@purlin/contract/rules/query/columns'
import { ownOptions } from '../commands/program.ts'
import { commandTree, nodeOf, type CommandNode } from '../commands/tree.ts'
import { watchedOf } from '../commands/wait.ts'
import { write, type Io } from '../io.ts'

/** Prints the candidates for the last word of a line, one per line. */
export async function complete(io: Io, line: readonly string[]): Promise<void> {
  await write(
    io.stdout,
    candidates(line)
      .map((word) => `${word}\n`)
      .join(''),
  )
}

/** The candidates for the last word of a line. */
export function candidates(line: readonly string[]): string[] {
  const word = line.at(-1) ?? ''
  const given = line.slice(0, -1)
  // A command that is watched follows the word.
  const before = given[0] === 'watch' ? given.slice(1) : given
  const flags = before.findIndex((one) => one.startsWith('-'))
  const words = flags === -1 ? before : before.slice(0, flags)
  const node = nodeOf(commandTree(), words)
  if (words.length > 0 && node.word !== words.at(-1)) return []
  const previous = before.at(-1) ?? ''
  const values = previous.startsWith('--') ? valuesOf(node, previous.slice(2)) : []
  const all = values.length > 0 ? values : word.startsWith('-') ? flagWords(node) : [...node.children.keys()]
  const found = all.length > 0 ? all : flagWords(node)
  return found.filter((one) => one.startsWith(word))
}

/** The flags of a command. */
export function flagWords({ operation, local }: CommandNode): string[] {
  const own = operation
    ? [
        ...flagsOf(operations[operation], operation).map(({ name }) => `--${name}`),
        ...ownOptions(operation).map(first),
      ]
    : (local?.options.map(({ flags }) => first([flags])) ?? [])
  return own.length > 0 ? [...own, '--help'] : ['--help']
}

const first = ([flags]: readonly [string, ...string[]]): string => flags.split(' ', 1)[0] ?? ''

function valuesOf({ operation }: CommandNode, name: string): string[] {
  if (!operation) return []
  if (name === 'wait') return [...(watchedOf(operation)?.states ?? [])]
  const flag = flagsOf(operations[operation], operation).find((one) => one.name === name)
  if (flag?.node.kind === 'string' && flag.node.filterOf !== undefined) return choicesOf(flag.node.filterOf)
  return flag?.node.kind === 'enum' ? flag.node.values.map(String) : []
}
