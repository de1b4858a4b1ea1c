/** The attributes of users that are kept, and changes of them. Those of the schema that are not kept are ignored. */
import { limits } from '@purlin/contract/rules/limits'
import { fault } from '#/faults.ts'
import { equalities, type Filter } from './expressions.ts'
import type { Operation } from './patch.ts'
import { entriesOf, flagOf, listOf, requiredText, textOf, valueIn } from './values.ts'

export interface Email {
  value: string
  type?: string
  primary?: boolean
}
export type NamePart = 'formatted' | 'givenName' | 'familyName'
/** A person, as the identity system says. */
export interface Profile {
  displayName?: string
  name: Partial<Record<NamePart, string>>
  emails: Email[]
}
/** The attributes of a user that a request may set. */
export interface UserAttributes extends Profile {
  userName: string
  externalId: string | null
  active: boolean
}

/** RFC 7643, section 4.1: nothing here needs them. */
const notKept = new Set(
  (
    'nickname profileurl title usertype preferredlanguage locale timezone password ' +
    'phonenumbers ims photos addresses entitlements roles x509certificates'
  ).split(' '),
)
const nameParts: Record<string, NamePart> = {
  formatted: 'formatted',
  givenname: 'givenName',
  familyname: 'familyName',
}
const notKeptOfName = new Set(['middlename', 'honorificprefix', 'honorificsuffix'])

/** The attributes after an operation. Throws 400. */
export function changed(user: UserAttributes, operation: Operation): UserAttributes {
  const { op, path, value } = operation
  const { attribute, sub } = path
  if (attribute === 'name') return { ...user, name: changedName(user.name, operation) }
  if (attribute === 'emails')
    return { ...user, emails: onePrimary(withValues(changedEmails(user.emails, operation))) }
  if (attribute.startsWith('urn:') || notKept.has(attribute)) return user
  if (sub !== undefined || path.filter) throw unknown(attribute)
  if (op === 'remove' && (attribute === 'username' || attribute === 'active'))
    throw fault.scim('mutability', `${attribute}: it cannot be removed`)
  const given = op === 'remove' ? undefined : value
  switch (attribute) {
    case 'username':
      return { ...user, userName: requiredText('userName', given) }
    case 'active':
      return { ...user, active: flagOf('active', given) }
    case 'externalid':
      return { ...user, externalId: textOf('externalId', given) ?? null }
    case 'displayname':
      return withText(user, 'displayName', textOf('displayName', given))
    default:
      throw unknown(attribute)
  }
}

const unknown = (attribute: string) =>
  fault.scim('invalidPath', `unknown attribute: ${attribute.slice(0, limits.scim.id)}`)

/** The object with a text, or without it. */
function withText<T extends object, K extends keyof T & string>(
  object: T,
  key: K,
  text: string | undefined,
): T {
  const { [key]: _before, ...rest } = object
  return (text === undefined ? rest : { ...rest, [key]: text }) as T
}

function changedName(
  name: Profile['name'],
  { op, path: { sub, filter }, value }: Operation,
): Profile['name'] {
  if (filter) throw fault.scim('invalidPath', 'name: it has one value only')
  if (sub !== undefined) return withPart(name, sub, op === 'remove' ? undefined : value)
  if (op === 'remove' || value === null) return {}
  return entriesOf('name', value).reduce((after, [key, one]) => withPart(after, key.toLowerCase(), one), name)
}

function withPart(name: Profile['name'], sub: string, value: unknown): Profile['name'] {
  const part = nameParts[sub]
  if (part) return withText(name, part, textOf(`name.${part}`, value))
  if (notKeptOfName.has(sub)) return name
  throw unknown(`name.${sub}`)
}

function changedEmails(emails: readonly Email[], operation: Operation): Email[] {
  const { op, path, value } = operation
  const { filter, sub } = path
  if (!filter && sub === undefined) return replacedEmails(emails, op, value)
  const isSelected = filter ? selector(filter) : () => true
  const change = (email: Email): Email[] =>
    op === 'remove' && sub === undefined ? [] : [...withSub(email, sub, op === 'remove' ? undefined : value)]
  if (emails.some(isSelected)) return emails.flatMap((email) => (isSelected(email) ? change(email) : [email]))
  // Identity systems replace an address that the user does not have yet.
  return op === 'remove' ? [...emails] : [...emails, ...withSub(fromFilter(filter), sub, value)]
}

function replacedEmails(emails: readonly Email[], op: Operation['op'], value: unknown): Email[] {
  const given = listOf('emails', value, limits.scim.emails).flatMap((one) => [...emailsIn(one)])
  if (op === 'replace') return given
  const others = emails.filter((email) => !given.some((one) => isSame(one, email)))
  if (op === 'add') return [...others, ...given]
  return value === undefined || value === null ? [] : others
}

const isSame = (a: Email, b: Email) => a.value.toLowerCase() === b.value.toLowerCase() && a.type === b.type

/** An address as it is given: an object or, from some systems, only its text. One without a value is none. */
function emailsIn(given: unknown): Email[] {
  if (typeof given === 'string') return withSub({ value: '' }, 'value', given)
  const entries = entriesOf('emails', given)
  const [email] = withSub({ value: '' }, 'value', valueIn(entries, 'value'))
  if (!email) return []
  return [
    {
      ...withText(email, 'type', textOf('emails.type', valueIn(entries, 'type'))?.toLowerCase()),
      ...(isTrue(valueIn(entries, 'primary')) ? { primary: true } : {}),
    },
  ]
}

const isTrue = (value: unknown) => value !== undefined && value !== null && flagOf('emails.primary', value)

/** The address with another part, or another whole. Without a value it is none. */
function withSub(email: Email, sub: string | undefined, value: unknown): Email[] {
  switch (sub) {
    case undefined:
      return emailsIn({ ...email, ...Object.fromEntries(entriesOf('emails', value)) })
    case 'value': {
      const text = textOf('emails.value', value)
      return text === undefined ? [] : [{ ...email, value: text }]
    }
    case 'type':
      return [withText(email, 'type', textOf('emails.type', value)?.toLowerCase())]
    case 'primary':
      return [
        { ...withText(email, 'primary' as 'type', undefined), ...(isTrue(value) ? { primary: true } : {}) },
      ]
    case 'display':
      return [email]
    default:
      throw unknown(`emails.${sub}`)
  }
}

const wantedOf = (filter: Filter) => {
  const wanted = equalities(filter)
  if (!wanted) throw fault.scim('invalidFilter', 'emails: only eq, joined by and, is supported')
  return wanted
}

function selector(filter: Filter): (email: Email) => boolean {
  const wanted = wantedOf(filter)
  return (email) => wanted.every(([attribute, value]) => matches(email, attribute, value))
}

function matches(email: Email, attribute: string, value: unknown): boolean {
  switch (attribute) {
    case 'value':
      return typeof value === 'string' && email.value.toLowerCase() === value.toLowerCase()
    case 'type':
      return typeof value === 'string' && email.type === value.toLowerCase()
    case 'primary':
      return flagOf('emails.primary', value) === (email.primary === true)
    default:
      throw fault.scim('invalidFilter', `emails: unknown attribute ${attribute.slice(0, limits.scim.id)}`)
  }
}

/** The address that a filter describes. */
const fromFilter = (filter: Filter | undefined): Email =>
  (filter ? wantedOf(filter) : []).reduce(
    (email, [attribute, value]) => withSub(email, attribute, value)[0] ?? email,
    { value: '' } as Email,
  )

const withValues = (emails: readonly Email[]) => emails.filter(({ value }) => value !== '')

/** The last one that was made the primary address is the only one. Throws 400 for too many addresses. */
function onePrimary(emails: readonly Email[]): Email[] {
  const given = listOf('emails', emails, limits.scim.emails) as readonly Email[]
  const last = given.findLastIndex(({ primary }) => primary)
  return given.map((email, i) => (i === last ? email : withText(email, 'primary' as 'type', undefined)))
}
