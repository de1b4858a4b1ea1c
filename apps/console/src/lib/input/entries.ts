/** Lists that are entered as text: one entry by one, or pasted from a table or a file. */

import type { ClipboardEvent } from 'react'

interface EntryRules<T> {
  /** The entries of the list so far. */
  list: readonly T[]
  entryOf: (text: string) => T
  problemOf: (entry: T) => string | undefined
  /** Why a list cannot be as long as this. */
  isFull?: (length: number) => string | undefined
}

/**
 * The list with the entries of a text, or the problem with the first wrong one. Entries are separated by white space,
 * commas or semicolons. Those that are listed already change nothing.
 */
export function readEntries<T>(
  text: string,
  { list, entryOf, problemOf, isFull }: EntryRules<T>,
): T[] | string {
  const entries = text.split(/[\s,;]+/).filter((one) => one !== '')
  const byKey = new Map(list.map((entry) => [JSON.stringify(entry), entry]))
  for (const one of entries) {
    const entry = entryOf(one)
    const problem = problemOf(entry)
    if (problem) return entries.length > 1 ? `${one}: ${problem}` : problem
    byKey.set(JSON.stringify(entry), entry)
  }
  const all = [...byKey.values()]
  return (all.length > list.length ? isFull?.(all.length) : undefined) ?? all
}

/** The problem with entries that are still in the box when the form is sent: none, if all of them are listed. */
export function unlistedProblem(
  read: readonly unknown[] | string,
  list: readonly unknown[],
  noun = 'this',
): string | undefined {
  if (typeof read === 'string') return read
  return read.length > list.length ? `Add ${noun} to the list, or clear it` : undefined
}

/** Pastes lines into a text field as entries of one line: a browser would join them without a separator. */
export function pasteLines(event: ClipboardEvent<HTMLInputElement>): void {
  const text = event.clipboardData.getData('text/plain')
  if (!/[\r\n]/.test(text)) return
  event.preventDefault()
  const input = event.currentTarget
  const [start, end] = [input.selectionStart ?? input.value.length, input.selectionEnd ?? input.value.length]
  input.setRangeText(text.trim().replaceAll(/\s+/g, ' '), start, end, 'end')
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
