/** Text of a server or a user in a terminal: nothing in it may move the cursor, or change how other text reads. */

// Controls of C0 and C1, and those that change the direction of text.
const controls = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu
const exceptLines = /[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** One line of text, with controls written as `\u001b`. */
export const printable = (text: string): string => text.replace(controls, escaped)

/** The same of text in lines, which stay. */
export const printableLines = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(exceptLines, escaped)

/** JSON whose controls are escaped as JSON does it: what reads it gets the same values. */
export const printableJson = (json: string): string => json.replace(exceptLines, escaped)

const exceptLineBreaks = /(?:[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069])+/gu

/** The inside of a word in single quotes of a POSIX shell, which gets the controls from `printf`, as octal bytes. */
export const printableInQuotes = (text: string): string =>
  text.replace(exceptLineBreaks, (found) => `'"$(printf '${octal(found)}')"'`)

const octal = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /%(..)/g,
    (_, hex: string) => `\\${parseInt(hex, 16).toString(8).padStart(3, '0')}`,
  )
