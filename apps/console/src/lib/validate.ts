/** Looks at a field's value and tells what is wrong with it, or nothing. */
export type Check<T> = (value: T) => string | undefined

/** Longest resource name the control plane accepts. */
export const NAME_MAX = 63
/** Longest description the control plane accepts. */
export const DESCRIPTION_MAX = 512

/** The first complaint of several checks. */
export const firstOf =
  <T>(...checks: (Check<T> | undefined)[]): Check<T> =>
  (value) => {
    for (const check of checks) {
      const complaint = check?.(value)
      if (complaint) return complaint
    }
    return undefined
  }

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

/** Whether the text has the form of a UUID, which a name must not have. */
const looksLikeUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The name rules in the order in which they are reported. An optional name may be empty. */
export const validateName =
  (label = 'Name', isRequired = true): Check<string> =>
  (name) => {
    if (name.length > NAME_MAX) return `Must be ${NAME_MAX} characters or fewer`
    if (name === '') return isRequired ? `${label} is required` : undefined
    if (!/^[a-z0-9-]+$/.test(name)) return 'Can only contain lower-case letters, numbers, and dashes'
    if (!/^[a-z]/.test(name)) return 'Must start with a lower-case letter'
    if (name.endsWith('-')) return 'Must end with a letter or number'
    if (looksLikeUuid(name)) return 'Cannot be a UUID'
    return undefined
  }

/** What can be said about a name while it is still being typed: a last dash may get a successor. */
export const liveNameComplaint = (name: string): string | undefined =>
  name === '' || /^-+$/.test(name) ? undefined : validateName('Name', false)(name.replace(/-+$/, ''))

/** Refuses a description that is too long. */
export const validateDescription: Check<string> = (text) =>
  // As the control plane counts: a character outside of the basic plane is one.
  Array.from(text).length > DESCRIPTION_MAX
    ? `A description must be no longer than ${DESCRIPTION_MAX} characters`
    : undefined

/** Refuses a list that holds an item twice. */
export const validateUnique: Check<readonly string[]> = (items) =>
  new Set(items).size === items.length ? undefined : 'Items must be unique'

/** Whether the text is one port or a range of two whose end is not below its start. */
export const isPortRange = (text: string): boolean => {
  const ports = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text.trim())
  if (!ports) return false
  return ports[2] === undefined || Number(ports[2]) >= Number(ports[1])
}

/** Refuses a number outside the bounds; the unit follows the bound in the message. */
export const validateBetween =
  ({ min, max, unit }: { min?: number; max?: number; unit?: string }): Check<number> =>
  (value) => {
    const suffix = unit ? ` ${unit}` : ''
    if (min !== undefined && value < min) return `Must be at least ${min}${suffix}`
    if (max !== undefined && value > max) return `Can be at most ${max}${suffix}`
    return undefined
  }
