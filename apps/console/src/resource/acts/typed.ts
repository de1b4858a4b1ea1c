/** Reads the actions that are typed into the palette. */
import { kindOf, pluralOf } from '@purlin/contract/rules/kinds'
import type { SearchedKind } from '@purlin/contract/rules/lists'
import type { TypedAct, TypedName } from './acts.ts'

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s…?]+/)
    .filter(Boolean)

/** Other names of actions, which people bring from elsewhere. A word that is a part of many names is none: 'boot'. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  Edit: ['rename', 'describe'],
  Enlarge: ['grow', 'expand', 'resize'],
  Start: ['power on'],
  Stop: ['shut down'],
  'Force stop': ['power off', 'kill'],
  Reboot: ['restart', 'reset'],
  'Roll back': ['restore', 'revert'],
  'Roll disk back': ['restore', 'revert'],
  'Roll instance back': ['restore', 'revert'],
  'Change tags': ['tag', 'untag'],
  'Remove protection': ['unprotect'],
  Delete: ['remove', 'destroy'],
  Clone: ['duplicate'],
}

/**
 * Whether typed words are an action, by its name or another one: its first word as far as it is typed, and any of the others in
 * their order.
 */
export const isVerb = (typed: readonly string[], label: string): boolean =>
  [label, ...(otherNames[label] ?? [])].some((name) => isName(typed, name))

function isName(typed: readonly string[], label: string): boolean {
  const words = wordsOf(label)
  let at = -1
  return typed.every((word, n) => {
    at = n === 0 ? 0 : words.findIndex((one, i) => i > at && one.startsWith(word))
    return words[at]?.startsWith(word) === true
  })
}

// Fewer letters are too likely to be a part of a name.
const shortestVerb = 2
/** A word after a name is more often a part of what is searched for. */
const shortestVerbAfter = 3

/** The names of actions, and the kinds that they are done to. */
export interface Known {
  labels: readonly string[]
  nouns: readonly (readonly [noun: string, kind: SearchedKind])[]
}

/** The nouns that may stand before a name, the longest first: an instance snapshot is no instance. */
export const nounsOf = (kinds: readonly SearchedKind[]): Known['nouns'] =>
  kinds
    .flatMap((kind) => {
      const { noun } = kindOf(kind)
      return [noun, pluralOf(noun)].map((one) => [one.toLowerCase(), kind] as const)
    })
    .toSorted(([a], [b]) => b.length - a.length)

/** The action in a text: 'stop web-03', 'attach disk data to web-03', 'web-03 stop'. */
export function readAct(text: string, { labels, nouns }: Known): TypedAct | undefined {
  const typed = wordsOf(text)
  const isOne = (words: readonly string[], shortest: number) =>
    (words[0]?.length ?? 0) >= shortest && labels.some((label) => isVerb(words, label))
  const counts = typed.slice(1).map((_, n) => typed.length - 1 - n)
  const before = counts.find((count) => isOne(typed.slice(0, count), shortestVerb))
  if (before !== undefined) return actOf(typed.slice(0, before), typed.slice(before), nouns)
  const after = counts.find((count) => isOne(typed.slice(-count), shortestVerbAfter))
  if (after !== undefined) return actOf(typed.slice(-after), typed.slice(0, -after), nouns)
  return undefined
}

function actOf(
  verb: readonly string[],
  rest: readonly string[],
  nouns: Known['nouns'],
): TypedAct | undefined {
  const to = rest.indexOf('to', 1)
  const object = nameOf(to < 0 ? rest : rest.slice(0, to), nouns)
  const given = to < 0 ? undefined : nameOf(rest.slice(to + 1), nouns)
  return object && { verb, object, ...(given ? { given } : {}) }
}

function nameOf(words: readonly string[], nouns: Known['nouns']): TypedName | undefined {
  const text = words.join(' ')
  const known = nouns.find(([noun]) => text.startsWith(`${noun} `))
  if (known) return { text: text.slice(known[0].length + 1), kind: known[1] }
  return text === '' ? undefined : { text }
}
