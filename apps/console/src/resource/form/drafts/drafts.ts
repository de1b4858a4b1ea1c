/** Drafts of forms that were left, kept in the browser until the user signs out. */
import { serverNow } from '#/lib/clock.ts'
import { labelOf } from '#/lib/text.ts'
import { readKept, writeKept } from '#/resource/kept.ts'
import { keptFields, leftOutWords, neverKept } from './keptFields.ts'

/** A form, and the names in its address: the project, the VPC and so on. */
export interface DraftOf {
  form: string
  place: string
}

export interface Draft extends DraftOf {
  /** When it was written last, ms since 1970. */
  at: number
  values: Readonly<Record<string, unknown>>
  /** The names of the secrets that rows in it had. */
  leftOut?: readonly string[]
}

export const mostDrafts = 20
/** characters of its values */
export const longestDraft = 20_000
const day = 24 * 60 * 60_000
export const oldestDraft = 30 * day

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const isDraft = (kept: unknown): kept is Draft =>
  isRecord(kept) &&
  typeof kept.form === 'string' &&
  typeof kept.place === 'string' &&
  typeof kept.at === 'number' &&
  (kept.leftOut === undefined || Array.isArray(kept.leftOut)) &&
  isRecord(kept.values)

/** Without a value there is no secret: a row whose field is missing had one. */
const isLeftOut = (key: string, value: unknown): boolean => neverKept.has(key) && value !== ''

/** The names of the secrets inside of what is kept. */
function leftOutIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leftOutIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, one]) => (isLeftOut(key, one) ? [key] : leftOutIn(one)))
}

/** The part of a value that may be kept: no files, no secrets. */
function keptPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keptPart).filter((one) => one !== undefined)
  if (isRecord(value)) {
    const entries = Object.entries(value).filter(([key, one]) => !isLeftOut(key, one))
    return Object.fromEntries(entries.map(([key, one]) => [key, keptPart(one)]))
  }
  return ['string', 'number', 'boolean'].includes(typeof value) || value === null ? value : undefined
}

/** The part of the values of a form that a draft keeps. */
export function keptOf(form: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = (keptFields[form] ?? []).filter((field) => field in values && !neverKept.has(field))
  return Object.fromEntries(fields.map((field) => [field, keptPart(values[field])]))
}

/** Words for the fields of a form that a draft does not keep. */
export const leftOutOf = (
  form: string,
  values: Readonly<Record<string, unknown>>,
  draft?: Pick<Draft, 'leftOut'>,
): string[] => {
  const kept = keptOf(form, values)
  const fields = [...Object.keys(values).filter((field) => !(field in kept)), ...(draft?.leftOut ?? [])]
  return [...new Set(fields.map((field) => leftOutWords[field] ?? labelOf(field).toLowerCase()))]
}

/** The values of a form with those of a draft. What has another shape by now stays as it is. */
export function filledBy<V extends object>(values: V, { form, values: kept }: Draft): V {
  return merged(values, keptOf(form, kept)) as V
}

/** The fields of a form that are kept and differ from the values that it had at first. */
export function differing(
  form: string,
  values: Readonly<Record<string, unknown>>,
  first: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const opened = keptOf(form, first)
  const entries = Object.entries(keptOf(form, values))
  return Object.fromEntries(
    entries.filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(opened[key])),
  )
}

/** Whether a form would differ if it was filled by a draft. */
export const changes = (values: Readonly<Record<string, unknown>>, draft: Draft): boolean =>
  Object.keys(differing(draft.form, filledBy(values, draft), values)).length > 0

function merged(now: unknown, kept: unknown): unknown {
  if (isRecord(now) && isRecord(kept))
    return Object.fromEntries(
      Object.entries(now).map(([key, value]) => [key, key in kept ? merged(value, kept[key]) : value]),
    )
  return typeof now === typeof kept && Array.isArray(now) === Array.isArray(kept) && !isRecord(now)
    ? kept
    : now
}

const isOf =
  ({ form, place }: DraftOf) =>
  (draft: DraftOf): boolean =>
    draft.form === form && draft.place === place

const read = () => readKept('drafts', isDraft)
const isFresh = ({ at }: Draft) => serverNow() - at < oldestDraft

export const findDraft = (of: DraftOf): Draft | undefined => read()?.filter(isFresh).find(isOf(of))

let hasWritten = false

/** Keeps the values of a form, in place of an earlier draft of it. */
export function keepDraft({ form, place }: DraftOf, values: Readonly<Record<string, unknown>>): void {
  const drafts = read()
  // The user has signed out in another tab.
  if (drafts === undefined && hasWritten) return
  const fields = (keptFields[form] ?? []).map((field) => values[field])
  const leftOut = [...new Set(leftOutIn(fields))]
  const draft = {
    form,
    place,
    at: serverNow(),
    values: keptOf(form, values),
    ...(leftOut.length > 0 ? { leftOut } : {}),
  }
  if (JSON.stringify(draft.values).length > longestDraft) return
  const others = (drafts ?? []).filter((one) => isFresh(one) && !isOf(draft)(one))
  hasWritten = true
  writeKept('drafts', [draft, ...others].slice(0, mostDrafts))
}

export function forgetDraft(of: DraftOf): void {
  const drafts = read()
  if (drafts?.some(isOf(of)))
    writeKept(
      'drafts',
      drafts.filter((one) => !isOf(of)(one)),
    )
}
