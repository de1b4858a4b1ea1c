/** JSON with all digits of integers. */
import { jsonText } from '@purlin/contract/wire'
import { printableJson } from '@purlin/contract/commands/printable'

type Source = { source?: string }

/** A value, in which integers that a number cannot hold are bigints. Throws SyntaxError. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, ((_key: string, value: unknown, { source }: Source = {}) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
      ? BigInt(source ?? '0')
      : value) as (key: string, value: unknown) => unknown)

/** A text as it is, and any other value as JSON. */
export const plainText = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value))

/** A value for programs and people: indented, safe for a terminal. */
export const indented = (value: unknown): string => printableJson(jsonText(value, 2))
