/** Identity fields and selectors that resources share. */
import { boolean, nullable, optional, time } from '../schema.ts'
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

/** Of our own: a resource whose deletion is refused says so. */
export const protectable = { protected: optional(boolean()) }
/** The same in a request that updates one. */
export const protectableUpdate = { protected: optional(nullable(boolean())) }

export const inProject = { project: optional(NameOrId) }
export const ofProject = { project: NameOrId }
