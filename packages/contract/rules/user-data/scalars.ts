/** Texts as YAML has them. */
import { printableJson } from '#/commands/printable.ts'
import { isUnprintable } from './texts.ts'

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16)}`

/** A text in double quotes. YAML reads those of JSON, once all that it may take for a line break is escaped. */
export const quotedOf = (text: string): string =>
  printableJson(JSON.stringify(text)).replaceAll(/[\ufeff\ufffe\uffff]/g, escaped)

/** Whether the text of a block is read as it is: YAML finds its indentation in the first line, and the line breaks at its end. */
const fitsBlock = (text: string): boolean =>
  /^\S/.test(text) && !/\n[ \t]+(?:\n|$)|\n\n$/.test(text) && !isUnprintable(text)

const headAndIndent = /^[|>][-+0-9]*([^\n]*)\n(?:[ \t]*\r?\n)*( *)/

/** A text in the place of a block with this source: a block with its indentation, or in quotes if none can have the text. */
export function blockOf(text: string, source: string): string {
  const [blankLines = '\n'] = /(?:\n[ \t]*)*\n$/.exec(source) ?? []
  if (!fitsBlock(text)) return quotedOf(text) + blankLines
  const [, comment = '', indent = ''] = headAndIndent.exec(source) ?? []
  const head = text.endsWith('\n') ? '|' : '|-'
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    [`${head}${comment.trimEnd()}`, ...lines.map((line) => (line === '' ? '' : indent + line))].join('\n') +
    blankLines
  )
}
