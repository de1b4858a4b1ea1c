import { matchesLoosely } from '#/lib/text.ts'
import type { Choice } from './choices.tsx'

/** What the list of a combobox is made from. `query` is the text while it is edited, else undefined. */
export interface ComboRequest {
  items: readonly Choice[]
  value: string
  query: string | undefined
  allowCustom: boolean
  /** The items were already narrowed by the server. */
  isNarrowed: boolean
}

/** The lines of the list: those that match, and what was typed where custom values are allowed. */
export const comboOptions = ({ items, query, allowCustom, isNarrowed }: ComboRequest): readonly Choice[] => {
  const typed = query?.trim() ?? ''
  if (typed === '') return items
  const fitting = isNarrowed ? items : items.filter(({ label }) => matchesLoosely(label, typed))
  const isKnown = items.some(({ label }) => label === typed)
  return allowCustom && !isKnown ? [...fitting, { value: typed, label: `Custom: ${typed}` }] : fitting
}

/** The text of the committed value: its item's label, or a custom value as it is. */
export const comboText = ({ items, value, allowCustom }: ComboRequest): string =>
  items.find((item) => item.value === value)?.label ?? (allowCustom ? value : '')

/** The value kept when the box is left in the middle of an edit, or undefined when the old one stays. */
export const comboLeft = ({ items, query, allowCustom }: ComboRequest): string | undefined => {
  const typed = query?.trim() ?? ''
  if (typed === '') return undefined
  return items.find(({ label }) => label === typed)?.value ?? (allowCustom ? typed : undefined)
}
