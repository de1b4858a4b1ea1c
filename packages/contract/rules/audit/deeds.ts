/** Entries of the audit log in the words of the console, of the command line and of exports. */
import { formatBytes } from '../limits.ts'
import { kindOf, kindOfType, nounOf } from '../kinds.ts'
import { doneWords } from './done-words.ts'

interface Change {
  field: string
  before?: string | null | undefined
  after?: string | null | undefined
}
/** An object of an entry. */
export interface TouchedObject {
  type: string
  id: string
  nameBefore: string | null
  nameAfter: string | null
  tagKeys?: string[] | undefined
  protected?: boolean | undefined
  changes?: Change[] | undefined
}
export interface DoneEntry<T extends TouchedObject = TouchedObject> {
  operationId: string
  objects?: T[] | undefined
  objectsOmitted?: number | undefined
}

/** The change of an object. */
export function changeOf({
  nameBefore,
  nameAfter,
}: TouchedObject): 'made' | 'deleted' | 'renamed' | undefined {
  if (nameBefore === null) return 'made'
  if (nameAfter === null) return 'deleted'
  return nameBefore === nameAfter ? undefined : 'renamed'
}

export const nameOf = ({ nameBefore, nameAfter }: TouchedObject): string => nameAfter ?? nameBefore ?? ''

const isChanged = (object: TouchedObject): boolean =>
  changeOf(object) !== undefined || object.changes !== undefined

/** Whether the name of an operation begins with a type. That of an image says whose it is, the operation does not. */
const isOf = (operationId: string, type: string): boolean =>
  operationId.startsWith(`${type.replace(/^.+-image$/, 'image').replaceAll('-', '_')}_`)

/** The objects of the kind that an operation names, such as the instance of `instance_update`. */
function ownObjects<T extends TouchedObject>({ operationId, objects = [] }: DoneEntry<T>): T[] {
  const named = objects.filter(({ type }) => isOf(operationId, type))
  const longest = Math.max(...named.map(({ type }) => type.length))
  return named.filter(({ type }) => type.length === longest)
}

/**
 * The object that an entry is mostly about: of the kind that the operation names, else of any. The one that was made,
 * deleted or changed or, if none was, the last one.
 */
export function mainObject<T extends TouchedObject>(entry: DoneEntry<T>): T | undefined {
  const { objects = [] } = entry
  const own = ownObjects(entry)
  const among = own.length > 0 ? own : objects
  return among.find(isChanged) ?? objects.find(({ changes }) => changes !== undefined) ?? among.at(-1)
}

/** The type of a task in entries. It is named by what it does. */
export const taskType = 'task'

/** The types of what an operation happens in, or begins. */
const surroundings = ['project', 'silo', taskType]

/**
 * How many objects an entry has besides the main one: those that were changed too, or, of an operation that changes none, all
 * but the project and the silo that it was in, and its task.
 */
export function otherObjects(entry: DoneEntry): number {
  const { objects = [], objectsOmitted = 0 } = entry
  const main = mainObject(entry)
  const counts = (one: TouchedObject) =>
    isChanged(one) || (main !== undefined && !isChanged(main) && !surroundings.includes(one.type))
  return objects.filter((one) => one !== main && counts(one)).length + objectsOmitted
}

/** A part of what was done: `resized` an object `from 2 to 4 vCPUs`. */
interface Deed {
  /** Before the object. */
  verb: string
  /** After it. */
  rest: string
  /** Both where the object is not between them. */
  alone: string
}
const deed = (verb: string, rest: string): Deed => ({
  verb,
  rest,
  alone: `${verb} ${rest}`.trim(),
})
/** Of a part of an object. */
const deedOf = (verb: string, rest: string): Deed => ({
  ...deed(verb, rest),
  verb: `${verb} of`,
})

function listed(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`
}

const units = (type: string) => {
  const kind = kindOfType(type)
  const recorded = kind && kindOf(kind).recorded
  return (field: string) => recorded?.[field]?.unit
}

/** The words for a size, where its unit does not say of what it is. */
const sizeOf: Readonly<Record<string, string>> = {
  memory: ' of memory',
  quota_memory: ' of memory',
  quota_storage: ' of storage',
}

/** `from 2 to 4 vCPUs`, `from 512 MiB to 2 GiB of memory` */
function rangeText({ field, before, after }: Change, unit: 'bytes' | 'vCPUs'): string {
  const text = (value: string) =>
    unit === 'bytes' ? formatBytes(Number(value)) : `${value} ${value === '1' ? 'vCPU' : 'vCPUs'}`
  const [from, to] = [text(before ?? '0'), text(after ?? '0')]
  const [number = '', unitBefore] = from.split(' ')
  const isSame = unit === 'vCPUs' || to.endsWith(` ${unitBefore}`)
  return `from ${isSame ? number : from} to ${to}${sizeOf[field] ?? ''}`
}

const resizing: Readonly<Record<string, (rest: string) => Deed>> = {
  instance: (rest) => deed('resized', rest),
  disk: (rest) => deed('enlarged', rest),
  silo: (rest) => deedOf('changed the quotas', rest),
}

const policies: Readonly<Record<string, string>> = {
  never: 'never',
  best_effort: 'best effort',
}

/** Names of fields that people call otherwise. */
const nounOfField: Readonly<Record<string, string>> = {
  dns_name: 'DNS name',
  cpu_hour: 'vCPU hour',
  memory_gib_hour: 'GiB hour of memory',
  storage_gib_hour: 'GiB hour of storage',
  transit_ips: 'transit IPs',
  entity_id: 'entity ID',
  client_id: 'client ID',
  client_id_of_service: 'client ID of the service',
  acs_url: 'ACS URL',
  slo_url: 'SLO URL',
  bgp_peers: 'BGP peers',
  asn: 'ASN',
  vrf: 'VRF',
}

/** Verbs of lists: what follows the entries in front of the object. */
const listVerbs: Readonly<Record<string, { verb: string; follows: string }>> = {
  added: { verb: 'added', follows: 'to' },
  removed: { verb: 'removed', follows: 'from' },
  changed: { verb: 'changed', follows: 'of' },
  given: { verb: 'gave', follows: 'on' },
  taken: { verb: 'took', follows: 'on' },
}

/** `added rule allow-web to`, `gave roles admin to dana, viewer to group ops on` */
function listDeed({ field, before, after }: Change): Deed | undefined {
  const [, nouns = '', done = ''] = /^(.+)_([a-z]+)$/.exec(field) ?? []
  const words = listVerbs[done]
  const text = after ?? before
  if (!words || text == null) return undefined
  const noun = nounOfField[nouns] ?? nouns.replaceAll('_', ' ')
  const isOne = !/, | and \d+ more$/.test(text)
  const alone = `${words.verb} ${isOne ? noun.replace(/(?<=ss)es$|s$/, '') : noun} ${text}`
  return { verb: `${alone} ${words.follows}`, rest: '', alone }
}

/** Of a role on the fleet, at the user or group. */
const fleetRole = (verb: string, roles: string, follows: string): Deed => {
  const alone = `${verb} ${roles.includes(', ') ? 'roles' : 'role'} ${roles} on the fleet`
  return { verb: `${alone} ${follows}`, rest: '', alone }
}

/** The fields with other words than `changed the … from … to …`. */
const special: Readonly<Record<string, (before: string | null, after: string | null) => Deed>> = {
  fleet_roles_given: (_, after) => fleetRole('gave', after ?? '', 'to'),
  fleet_roles_taken: (before) => fleetRole('took', before ?? '', 'from'),
  primary: () => deed('made', 'primary'),
  rolled_back_to: (_, after) => deed('rolled', `back to ${after}`),
  instance_rolled_back: (_, after) => ({
    verb: `rolled ${after} back to`,
    rest: '',
    alone: `rolled ${after} back`,
  }),
  disabled: (_, after) => deed(after === '1' ? 'disabled' : 'enabled', ''),
  second_factors(_, after) {
    const alone = after === 'true' ? 'required second factors' : 'stopped requiring second factors'
    return { verb: `${alone} in`, rest: '', alone }
  },
  paused: (_, after) => deed(after === 'true' ? 'paused' : 'resumed', ''),
  silo: (before, after) =>
    after === null ? deed('unlinked', `from silo ${before}`) : deed('linked', `to silo ${after}`),
  default_of: (before, after) =>
    after === null
      ? deed('unset', `as the default of silo ${before}`)
      : deed('made', `the default of silo ${after}`),
  provision_policy(before, after) {
    const text = (value: string | null) => value?.replaceAll('_', '-') ?? 'none'
    return deedOf('changed the provision policy', `from ${text(before)} to ${text(after)}`)
  },
  instance(before, after) {
    if (before !== null && after !== null) return deed('moved', `from ${before} to ${after}`)
    return before === null ? deed('attached', `to ${after}`) : deed('detached', `from ${before}`)
  },
  boot_disk(before, after) {
    if (before !== null && after !== null)
      return deedOf('changed the boot disk', `from ${before} to ${after}`)
    return before === null
      ? deedOf('set the boot disk', `to ${after}`)
      : deedOf('unset the boot disk', `(${before})`)
  },
  auto_restart_policy(before, after) {
    const text = (value: string | null) => (value === null ? 'default' : (policies[value] ?? value))
    return deedOf('changed the auto-restart policy', `from ${text(before)} to ${text(after)}`)
  },
}

function changeDeed(change: Change): Deed {
  const { field, before, after } = change
  const noun = nounOfField[field] ?? field.replaceAll('_', ' ')
  if (before === undefined || after === undefined) return deedOf(`changed the ${noun}`, '')
  return (
    special[field]?.(before, after) ??
    listDeed(change) ??
    deedOf(`changed the ${noun}`, `from ${before ?? 'none'} to ${after ?? 'none'}`)
  )
}

/** The declared fields of an object that were changed. */
function changeDeeds({ type, changes = [] }: TouchedObject): Deed[] {
  const unitOf = units(type)
  const sizes: string[] = []
  const others: Deed[] = []
  for (const change of changes) {
    const unit = unitOf(change.field)
    if (unit) sizes.push(rangeText(change, unit))
    else others.push(changeDeed(change))
  }
  const resized = resizing[type] ?? ((rest: string) => deed('changed', rest))
  return [...(sizes.length > 0 ? [resized(listed(sizes))] : []), ...others]
}

const fewKeys = 3

/** `env, team, cost and 3 more` */
const keysText = (keys: readonly string[], most: number): string =>
  keys.slice(0, most).join(', ') + (keys.length > most ? ` and ${keys.length - most} more` : '')

/** All that was done to an object that existed before and after it. */
function deedsOf(object: TouchedObject, mostKeys = fewKeys): Deed[] {
  const { nameBefore, nameAfter, tagKeys, protected: isProtected } = object
  if (nameBefore === null || nameAfter === null) return []
  const deeds: Deed[] = []
  if (nameBefore !== nameAfter)
    deeds.push({
      ...deed('renamed', `to ${nameAfter}`),
      alone: `renamed from ${nameBefore} to ${nameAfter}`,
    })
  deeds.push(...changeDeeds(object))
  if (tagKeys) deeds.push(deedOf('changed the tags', `(${keysText(tagKeys, mostKeys)})`))
  if (isProtected !== undefined)
    deeds.push(isProtected ? deed('protected', 'from deletion') : deedOf('removed the protection', ''))
  return deeds
}

/** The changes of declared fields of an object, such as `resized from 2 to 4 vCPUs`. */
export const changesWords = (object: TouchedObject): string =>
  listed(changeDeeds(object).map(({ alone }) => alone))

/** All that an entry says of an object besides its names: `changed the description`, `changed the tags (env)`. */
export function objectWords(object: TouchedObject): string[] {
  const name = nameOf(object)
  return deedsOf({ ...object, nameBefore: name, nameAfter: name }, Infinity).map(({ alone }) => alone)
}

/** All that was done to the main object, if the entry says it. A sign-in may also change the name of the user. */
function mainDeeds(entry: DoneEntry, main: TouchedObject): Deed[] {
  return main.changes || ownObjects(entry).includes(main) ? deedsOf(main) : []
}

/** A sentence in parts: the name may be a link. */
export interface Sentence<T extends TouchedObject> {
  /** Up to the name of the object: `resized`, `created disk`. */
  before: string
  object?: T
  name?: string
  after: string
  /** How many more objects it is about. */
  more: number
}

/** `resized web-01 from 2 to 4 vCPUs`, without the actor. */
export function sentenceOf<T extends TouchedObject>(entry: DoneEntry<T>): Sentence<T> {
  const { objects = [] } = entry
  const words = doneWords(entry.operationId)
  const object = mainObject(entry)
  if (!object) return { before: words, after: '', more: otherObjects(entry) }
  const deeds = mainDeeds(entry, object)
  const [first] = deeds
  const noun = nounOf(object.type)
  if (!first) {
    const joined = joinedWords(words, noun)
    const after = objectWords(object).map((text) => `(${text})`)
    return {
      before: joined,
      object,
      name: nameOf(object),
      after: after.join(' '),
      more: otherObjects(entry),
    }
  }
  const more = objects.filter((one) => one !== object && isChanged(one)).length
  if (deeds.length > 1) {
    const after = `(${deeds.map(({ alone }) => alone).join(', ')})`
    return {
      before: `edited ${noun}`,
      object,
      name: nameOf(object),
      after,
      more,
    }
  }
  // People say 'resized web-01': it is a machine that has vCPUs.
  const before = object.type === 'instance' ? first.verb : `${first.verb} ${noun}`
  const name = (first.verb === 'renamed' ? object.nameBefore : undefined) ?? nameOf(object)
  return { before, object, name, after: first.rest, more }
}

/** `created disk`, `imported image: project image`. The name of a task says what it does. */
function joinedWords(words: string, noun: string): string {
  if (!words.toLowerCase().endsWith(noun.toLowerCase())) return `${words}: ${noun}`
  return noun === taskType ? `${words}:` : words
}

/** The sentence as text. */
export function sentenceText(entry: DoneEntry): string {
  const { before, name, after, more } = sentenceOf(entry)
  return [before, name, after, more > 0 ? `and ${more} more` : ''].filter((part) => part).join(' ')
}

/** The deed without its object: `resized from 2 to 4 vCPUs`, `created disk`. */
export function deedWords(entry: DoneEntry): string {
  const main = mainObject(entry)
  const deeds = main ? mainDeeds(entry, main) : []
  return deeds.length > 0 ? deeds.map(({ alone }) => alone).join(', ') : doneWords(entry.operationId)
}

/** Whether an entry says what it has changed. */
export function saysChange(entry: DoneEntry): boolean {
  const main = mainObject(entry)
  return main !== undefined && mainDeeds(entry, main).length > 0
}
