/** Identity fields and selectors that resources share. */
import { limits } from '../rules/limits.ts'
import { boolean, nullable, optional, record, string, time } from '../schema.ts'
import { Description, Name, NameOrId, Uuid } from './scalar.ts'

/** Fields of every named resource. */
export const identity = {
  id: Uuid,
  name: Name,
  description: Description,
  timeCreated: time(),
  timeModified: time(),
}
/** Fields of every request that creates one. */
export const identityCreate = { name: Name, description: Description }
/** Fields of every request that updates one; absent or null keeps the value. */
export const identityUpdate = { name: optional(nullable(Name)), description: optional(nullable(Description)) }

const { count, value } = limits.tags
export const Tags = record(string({ maxLength: value }), { count, noun: 'tags' })

/** Of our own: a resource with tags has them. */
export const tagged = { tags: optional(Tags) }
/** The same in a request that creates or updates one: absent or null keeps them, and tags replace all of them. */
export const taggedGiven = { tags: optional(nullable(Tags)) }
/** Of our own: a resource whose deletion is refused says so, too. */
export const kept = { protected: optional(boolean()), ...tagged }
export const keptGiven = { protected: optional(nullable(boolean())), ...taggedGiven }

export const inProject = { project: optional(NameOrId) }
export const ofProject = { project: NameOrId }
