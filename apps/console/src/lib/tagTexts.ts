import type { Tags } from '@purlin/contract/rules/tags'

/** Each tag as a text, in the order of their keys. One without a value is a key alone. */
export const tagTexts = (tags: Tags = {}): string[] =>
  Object.entries(tags)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => (value === '' ? key : `${key}=${value}`))
