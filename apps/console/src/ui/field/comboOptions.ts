import { matchesLoosely } from '#/lib/text.ts'
import type { Choice } from './choices.tsx'

/** The input of a combobox's list. `query` is the text while it is edited, else undefined. */
export interface ComboRequest {
  items: readonly Choice[]
  value: string
  query: string | undefined
  allowCustom: boolean
  /** The items were already narrowed by the server. */
  isNarrowed: boolean
  /** The one that is chosen, where it may not be among the items. */
  chosen?: Choice | undefined
}

/** The lines of the list: those that match, and what was typed where custom values are allowed. */
export const comboOptions = (request: ComboRequest): readonly Choice[] => {
  const { items, query, allowCustom, isNarrowed } = request
  const typed = query?.trim() ?? ''
  if (typed === '') return withChosen(request)
  const fitting = isNarrowed ? items : items.filter(({ label }) => matchesLoosely(label, typed))
  const isKnown = items.some(({ label }) => label === typed)
  return allowCustom && !isKnown ? [...fitting, { value: typed, label: `Custom: ${typed}` }] : fitting
}

// The library forgets a choice that is not among its options.
const withChosen = ({ items, value, chosen }: ComboRequest): readonly Choice[] =>
  chosen?.value === value && !items.some((item) => item.value === value) ? [chosen, ...items] : items

/** The text of the committed value: its item's label, or a custom value as it is. */
export const comboText = (request: ComboRequest): string =>
  withChosen(request).find((item) => item.value === request.value)?.label ??
  (request.allowCustom ? request.value : '')

/** The value kept when the box is left in the middle of an edit, or undefined when the old one stays. */
export const comboLeft = ({ items, query, allowCustom }: ComboRequest): string | undefined => {
  const typed = query?.trim() ?? ''
  if (typed === '') return undefined
  return items.find(({ label }) => label === typed)?.value ?? (allowCustom ? typed : undefined)
}
