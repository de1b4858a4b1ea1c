/** Values of JSON as YAML 1.2: blocks for a person to read, and strings quoted as JSON where a plain one is not safe. */
import { jsonText } from '../wire.ts'
import { printableJson } from './printable.ts'

// A plain string that no version of YAML reads as something else.
const plain = /^[a-z][a-z0-9._-]*$/i
const words = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n'])

/** The text, with a line break at its end. */
export const yamlText = (value: unknown): string => `${linesOf(value).join('\n')}\n`

const textOf = (value: unknown): string =>
  typeof value === 'string' && plain.test(value) && !words.has(value.toLowerCase())
    ? value
    : printableJson(jsonText(value))

function linesOf(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item) => linesOf(item).map((line, i) => `${i === 0 ? '- ' : '  '}${line}`))
  const entries = entriesOf(value)
  if (entries.length === 0) return [textOf(value)]
  return entries.flatMap(([key, one]) => {
    const lines = linesOf(one)
    const isBlock = entriesOf(one).length > 0 || (Array.isArray(one) && one.length > 0)
    return isBlock
      ? [`${textOf(key)}:`, ...lines.map((line) => `  ${line}`)]
      : [`${textOf(key)}: ${lines[0]}`]
  })
}

/** An encoded integer of 64 bits is an object that knows its digits. */
const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('rawJSON' in value)
    ? Object.entries(value)
    : []
