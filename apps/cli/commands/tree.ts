/** All commands as a tree of words: those of operations, and those of the command line itself. */
import { wordsOf } from '@purlin/contract/commands/words'
import { operations, type OperationName } from '@purlin/contract/operations'
import { localCommands, type LocalCommand } from './local.ts'

export interface CommandNode {
  word: string
  children: Map<string, CommandNode>
  operation?: OperationName
  local?: LocalCommand
}

const emptyNode = (word: string): CommandNode => ({ word, children: new Map() })

function nodeAt(root: CommandNode, words: readonly string[]): CommandNode {
  let node = root
  for (const word of words) {
    const next = node.children.get(word) ?? emptyNode(word)
    node.children.set(word, next)
    node = next
  }
  return node
}

/** The tree. Throws if two commands have the same words. */
export function commandTree(): CommandNode {
  const root = emptyNode('purlin')
  for (const operation of Object.keys(operations) as OperationName[]) {
    const node = nodeAt(root, wordsOf(operation))
    if (node.operation) throw new Error(`${operation} and ${node.operation} have the same words`)
    node.operation = operation
  }
  for (const local of localCommands) {
    const node = nodeAt(root, local.words.split(' '))
    if (node.operation) throw new Error(`${local.words} is an operation`)
    node.local = local
  }
  return root
}

/** The deepest node that the first words of a line lead to. */
export function nodeOf(root: CommandNode, line: readonly string[]): CommandNode {
  let node = root
  for (const word of line) {
    const next = node.children.get(word)
    if (!next) return node
    node = next
  }
  return node
}

export const isCommand = ({ operation, local }: CommandNode): boolean =>
  operation !== undefined || local !== undefined
