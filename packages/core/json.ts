/** Reads a JSON body and says where it is wrong: `{path}: {reason} at line N column M`. */
import type { Schema } from '@purlin/contract/schema'
import { Invalid, parse } from '@purlin/contract/validate'
import { fault } from './faults.ts'

type Path = readonly (string | number)[]

/** Parses `text` by `schema`. Throws the 400 fault for bodies; a key given twice is refused. */
export function parseBody<O>(schema: Schema<O, unknown>, text: string): O {
  let wire: unknown
  try {
    wire = JSON.parse(text)
  } catch (error) {
    throw fault.badBody(syntaxReason(text, error as Error))
  }
  const repeated = walk(text, () => false)
  if (repeated?.kind === 'duplicate') throw fault.badBody(`${repeated.reason}${place(text, repeated.end)}`)
  try {
    return parse(schema, wire)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const where = error.where ? `${error.where}: ` : ''
    throw fault.badBody(`${where}${error.message}${place(text, endOf(text, error.path))}`)
  }
}

function syntaxReason(text: string, error: Error): string {
  const at = /at position (\d+)/.exec(error.message)?.[1]
  const reason = error.message
    .replace(/,? ?(in JSON )?at position .*$/, '')
    .replace(/,? \.{3}.*is not valid JSON$/, '')
    .replace(/, "[^]*" is not valid JSON$/, '')
  return `${reason.charAt(0).toLowerCase()}${reason.slice(1)}${place(text, at === undefined ? text.length : Number(at))}`
}

function place(text: string, end: number): string {
  const before = text.slice(0, end).split('\n')
  return ` at line ${before.length} column ${before.at(-1)?.length ?? 0}`
}

function endOf(text: string, path: Path): number {
  const found = walk(text, (at) => at.length === path.length && at.every((step, i) => step === path[i]))
  return found?.end ?? text.length
}

interface Found {
  kind: 'value' | 'duplicate'
  end: number
  reason: string
}

/** Walks valid JSON; stops at the value for which `wanted` says yes, or at a repeated key. */
function walk(text: string, wanted: (path: Path) => boolean): Found | undefined {
  let at = 0
  const path: (string | number)[] = []
  const space = () => {
    while (at < text.length && text.charCodeAt(at) <= 32) at++
  }
  const string = (): string => {
    const start = at++
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at++
    return text.slice(start, at)
  }
  const members = (close: string, member: (index: number) => Found | undefined): Found | undefined => {
    at++
    for (let index = 0; ; index++) {
      space()
      if (text[at] === close) break
      const found = member(index)
      if (found) return found
      space()
      if (text[at] === ',') at++
    }
    at++
    return undefined
  }
  const value = (): Found | undefined => {
    space()
    const nested = text[at] === '{' ? object() : text[at] === '[' ? members(']', element) : scalar()
    if (nested) return nested
    return wanted(path) ? { kind: 'value', end: at, reason: '' } : undefined
  }
  const scalar = (): undefined => {
    if (text[at] === '"') string()
    else while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++
  }
  const element = (index: number): Found | undefined => {
    path.push(index)
    const found = value()
    path.pop()
    return found
  }
  const object = (): Found | undefined => {
    const seen = new Set<string>()
    return members('}', () => {
      const key = JSON.parse(string()) as string
      if (seen.has(key)) return { kind: 'duplicate', end: at, reason: `duplicate field \`${key}\`` }
      seen.add(key)
      space()
      at++
      path.push(key)
      const found = value()
      path.pop()
      return found
    })
  }
  return value()
}
