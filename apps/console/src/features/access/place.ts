/** The resource of a policy, and the differences between its pages. */
import {
  policyUpdate,
  policyView,
  siloPolicyUpdate,
  siloPolicyView,
  systemPolicyUpdate,
  systemPolicyView,
} from '@purlin/contract/operations/access/policies'
import { projectPolicyUpdate, projectPolicyView } from '@purlin/contract/operations/projects/projects'
import { loadToEdit, query, remember, type Read } from '#/api/query.ts'
import { requestTo, type ApiRequest } from '#/api/request.ts'
import { rewrite } from '#/api/rewrite.ts'
import { sections, type Section } from '#/lib/addresses.ts'
import type { Level, PolicyData } from './effectiveRole.ts'

/** A project by its name, the silo of the signed-in person or, for operators, one by its name, or the fleet. */
export type Place =
  | { level: 'project'; project: string }
  | { level: 'silo'; silo?: string }
  | { level: 'fleet' }

/** The silo that operators look at; undefined for places in the own one and the fleet. */
export const siloOf = (place: Place): string | undefined => (place.level === 'silo' ? place.silo : undefined)

interface Words {
  title: string
  /** 'on this project' */
  here: string
  /** The purpose of roles here, as a sentence. */
  summary: string
}
export const words: Record<Level, Words> = {
  project: {
    title: 'Project Access',
    here: 'this project',
    summary:
      'Roles decide who can view, edit or administer a project. Roles on the silo are inherited by every project in it. If several roles apply, the strongest one counts.',
  },
  silo: {
    title: 'Silo Access',
    here: 'this silo',
    summary:
      'Roles decide who can view, edit or administer the silo. Its projects inherit them: a collaborator of the silo is an admin of every project. If several roles apply, the strongest one counts.',
  },
  fleet: {
    title: 'Fleet Access',
    here: 'the fleet',
    summary:
      'Roles on the fleet are for operators: of hardware, pools, silos and the system. They do not reach into the projects of silos. A silo can give roles on the fleet to its own users.',
  },
}

/** The place in a sentence: 'this project', 'the silo research'. */
export const hereOf = (place: Place): string =>
  siloOf(place) === undefined ? words[place.level].here : `the silo ${siloOf(place)}`

const sectionOf: Record<Level, Section> = {
  project: sections.access,
  silo: sections.siloAccess,
  fleet: sections.fleetAccess,
}
const scopeOf = (place: Place) =>
  place.level === 'project' ? { project: place.project } : { silo: siloOf(place) }

/** The addresses of the pages about a place. */
export const addressesOf = (place: Place) => {
  const section = siloOf(place) === undefined ? sectionOf[place.level] : sections.accessOfSilo
  const scope = scopeOf(place)
  return {
    list: section.list(scope),
    create: section.create(scope),
    edit: (id: string) => section.edit({ ...scope, name: id }),
  }
}

/** The text to type before users give up their own admin role. */
export const nameOf = (place: Place): string =>
  place.level === 'project' ? place.project : (siloOf(place) ?? place.level)

/** A place as questions about access name it. */
export function asResource(place: Place, ownSilo = ''): string {
  if (place.level === 'project') return `project:${place.project}`
  return place.level === 'silo' ? `silo:${place.silo ?? ownSilo}` : 'fleet'
}

const projectArgs = (project: string) => ({ params: { project } })
const siloArgs = (silo: string) => ({ params: { silo } })

/** The query of the place's own policy. */
export function policyQuery(place: Place): Read<PolicyData> {
  if (place.level === 'project') return query(projectPolicyView, projectArgs(place.project))
  if (place.level === 'fleet') return query(systemPolicyView, {})
  return place.silo === undefined ? query(policyView, {}) : query(siloPolicyView, siloArgs(place.silo))
}

/** For loaders of forms that change a role. The page beneath shows a failure. */
export const loadPolicyToEdit = (cause: Parameters<typeof loadToEdit>[0], place: Place): Promise<unknown> =>
  loadToEdit(cause, policyQuery(place)).catch(() => undefined)

/** Puts the policy, as it was just read or written, into the cache. */
export function rememberPolicy(place: Place, policy: PolicyData): void {
  if (place.level === 'project') remember(projectPolicyView, projectArgs(place.project), policy)
  else if (place.level === 'fleet') remember(systemPolicyView, {}, policy)
  else if (place.silo === undefined) remember(policyView, {}, policy)
  else remember(siloPolicyView, siloArgs(place.silo), policy)
}

/** Replaces the policy by what `change` makes of it. Throws ApiError, and what `change` throws. */
export function rewritePolicy(place: Place, change: (now: PolicyData) => PolicyData): Promise<PolicyData> {
  if (place.level === 'project') {
    const args = projectArgs(place.project)
    return rewrite({ view: projectPolicyView, update: projectPolicyUpdate, args }, change)
  }
  if (place.level === 'fleet')
    return rewrite({ view: systemPolicyView, update: systemPolicyUpdate, args: {} }, change)
  if (place.silo === undefined) return rewrite({ view: policyView, update: policyUpdate, args: {} }, change)
  return rewrite({ view: siloPolicyView, update: siloPolicyUpdate, args: siloArgs(place.silo) }, change)
}

/** The request that replaces the policy. */
export function policyRequest(place: Place, body: PolicyData): ApiRequest {
  if (place.level === 'project')
    return requestTo(projectPolicyUpdate, { ...projectArgs(place.project), body })
  if (place.level === 'fleet') return requestTo(systemPolicyUpdate, { body })
  if (place.silo === undefined) return requestTo(policyUpdate, { body })
  return requestTo(siloPolicyUpdate, { ...siloArgs(place.silo), body })
}
