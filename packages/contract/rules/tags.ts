/** Tags: keys with values that people choose for resources, and the filters of lists that name them. */
import { limits } from './limits.ts'
import { textLength } from './names.ts'

export type Tags = Readonly<Record<string, string>>
/** A request that may have tags. */
export interface MayHaveTags {
  tags?: Tags | null | undefined
}

const isKey = /^[A-Za-z0-9][A-Za-z0-9._/:-]*$/
// Lists show a value in one line, where a space at its end cannot be seen.
const isValue = /^(?!\s)[^\p{Cc}\p{Zl}\p{Zp}]*(?<!\s)$/u

/** The reason why a text is no key of a tag. */
export function tagKeyProblem(key: string): string | undefined {
  if (key === '') return 'a key must not be empty'
  if (key.length > limits.tags.key) return `a key may have at most ${limits.tags.key} characters`
  return isKey.test(key)
    ? undefined
    : 'a key begins with a letter or digit, and has only letters, digits, `.`, `_`, `/`, `:` and `-`'
}

/** The reason why a text is no value of a tag. */
export function tagValueProblem(value: string): string | undefined {
  if (textLength(value) > limits.tags.value) return `a value may have at most ${limits.tags.value} characters`
  return isValue.test(value) ? undefined : 'a value has no line breaks, and no spaces at its ends'
}

/** A tag that rows are restricted to: with this value, or with any. */
export interface TagFilter {
  key: string
  value: string | undefined
}

/** The tag of the filter `tag:KEY=VALUE` or `tag:KEY`, by what follows the colon. */
export function tagIn(text: string): TagFilter {
  const at = text.indexOf('=')
  return at < 0 ? { key: text, value: undefined } : { key: text.slice(0, at), value: text.slice(at + 1) }
}
