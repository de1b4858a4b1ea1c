/** Messages of forms about names and other values; the contract validates names and descriptions. */
import { keysOf } from '@purlin/contract/rules/keys'
import {
  breaks,
  textLength,
  descriptionMaxLength,
  nameMaxLength,
  type NameRule,
} from '@purlin/contract/rules/names'

export { descriptionMaxLength, nameMaxLength, textLength }

/** Looks at a field's value and tells what is wrong with it, or nothing. */
export type Check<T> = (value: T) => string | undefined

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'number' && Number.isNaN(value)) ||
  (Array.isArray(value) && value.length === 0)

/** Refuses an empty value: '{label} is required'. */
export const required =
  (label: string): Check<unknown> =>
  (value) =>
    isBlank(value) ? `${label} is required` : undefined

/** Refuses a text of more characters. */
export const validateLength =
  (max: number): Check<string> =>
  (text) =>
    textLength(text) > max ? `Must be ${max} characters or fewer` : undefined

// In the order in which they are reported.
const nameWords: Record<NameRule, string> = {
  length: `Must be ${nameMaxLength} characters or fewer`,
  empty: '',
  characters: 'Can only contain lower-case letters, numbers, and dashes',
  start: 'Must start with a lower-case letter',
  end: 'Must end with a letter or number',
  uuid: 'Cannot be a UUID',
}
const nameRules = keysOf(nameWords)

/** The problem with a name. An optional name may be empty. */
export const validateName =
  (label = 'Name', isRequired = true): Check<string> =>
  (name) => {
    const broken = nameRules.find((rule) => breaks(rule, name))
    if (broken === 'empty') return isRequired ? `${label} is required` : undefined
    return broken && nameWords[broken]
  }

/** The problem with a name while the user is still typing: a trailing dash may be completed. */
export const liveNameComplaint = (name: string): string | undefined =>
  name === '' || /^-+$/.test(name) ? undefined : validateName('Name', false)(name.replace(/-+$/, ''))

/** Refuses a description that is too long. */
export const validateDescription: Check<string> = (text) =>
  textLength(text) > descriptionMaxLength
    ? `A description must be no longer than ${descriptionMaxLength} characters`
    : undefined

/** Refuses a list that holds an item twice. */
export const validateUnique: Check<readonly string[]> = (items) =>
  new Set(items).size === items.length ? undefined : 'Items must be unique'

/** Refuses a number outside the bounds; the unit follows the bound in the message. */
export const validateBetween =
  ({ min, max, unit }: { min?: number; max?: number; unit?: string }): Check<number> =>
  (value) => {
    const suffix = unit ? ` ${unit}` : ''
    if (min !== undefined && value < min) return `Must be at least ${min}${suffix}`
    if (max !== undefined && value > max) return `Can be at most ${max}${suffix}`
    return undefined
  }
