/** What a policy is on, and everything in which the pages about it differ. */
import {
  policyUpdate,
  policyView,
  systemPolicyUpdate,
  systemPolicyView,
} from '@purlin/contract/operations/policies'
import { projectPolicyUpdate, projectPolicyView } from '@purlin/contract/operations/projects'
import { query, remember, type Read } from '#/api/query.ts'
import { rewrite } from '#/api/rewrite.ts'
import { sections, type Section } from '#/lib/addresses.ts'
import type { Level, PolicyData } from '#/resource/effectiveRole.ts'

/** A project by its name, the silo of the signed-in person, or the fleet. */
export type Place = { level: 'project'; project: string } | { level: 'silo' } | { level: 'fleet' }

interface Words {
  title: string
  /** 'on this project' */
  here: string
  /** What roles here are for, as a sentence. */
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

const sectionOf: Record<Level, Section> = {
  project: sections.access,
  silo: sections.siloAccess,
  fleet: sections.fleetAccess,
}
const scopeOf = (place: Place) => (place.level === 'project' ? { project: place.project } : {})

/** The addresses of the pages about a place. */
export const addressesOf = (place: Place) => {
  const section = sectionOf[place.level]
  const scope = scopeOf(place)
  return {
    list: section.list(scope),
    create: section.create(scope),
    edit: (id: string) => section.edit({ ...scope, name: id }),
  }
}

/** What must be typed to confirm that one gives up one's own admin role. */
export const nameOf = (place: Place): string => (place.level === 'project' ? place.project : place.level)

/** A place as questions about access name it. */
export function asResource(place: Place, ownSilo = ''): string {
  if (place.level === 'project') return `project:${place.project}`
  return place.level === 'silo' ? `silo:${ownSilo}` : 'fleet'
}

const projectArgs = (project: string) => ({ params: { project } })

/** The query of the place's own policy. */
export function policyQuery(place: Place): Read<PolicyData> {
  if (place.level === 'project') return query(projectPolicyView, projectArgs(place.project))
  return place.level === 'silo' ? query(policyView, {}) : query(systemPolicyView, {})
}

/** Puts the policy, as it was just read or written, into the cache. */
export function rememberPolicy(place: Place, policy: PolicyData): void {
  if (place.level === 'project') remember(projectPolicyView, projectArgs(place.project), policy)
  else remember(place.level === 'silo' ? policyView : systemPolicyView, {}, policy)
}

/** Replaces the policy by what `change` makes of it. Throws ApiError, and what `change` throws. */
export function rewritePolicy(place: Place, change: (now: PolicyData) => PolicyData): Promise<PolicyData> {
  if (place.level === 'project') {
    const args = projectArgs(place.project)
    return rewrite({ view: projectPolicyView, update: projectPolicyUpdate, args }, change)
  }
  return place.level === 'silo'
    ? rewrite({ view: policyView, update: policyUpdate, args: {} }, change)
    : rewrite({ view: systemPolicyView, update: systemPolicyUpdate, args: {} }, change)
}
