/** Explains a permission: the assignments that each give it alone. */
import type { Allow, OpShape } from '@purlin/contract/op'
import { operations } from '@purlin/contract/operations'
import { roles } from '@purlin/contract/rules/roles'
import type { Actor } from '#/context.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import type { RoleAssignmentTable } from '#/db/tables.ts'
import { may, permits, roleOn, type Target } from './access.ts'
import { actorFrom, type Assigned } from './actors.ts'
import { actorWith, type Person } from './people.ts'

/** The resource that a role is on. */
export interface Place {
  level: 'fleet' | 'silo' | 'project'
  id: string
  siloId: string
}
export interface Path {
  assignment: RoleAssignmentTable
  through: 'assigned' | 'inherited' | 'mapped'
}

/** A target that matches no operation: it has no users, so roles on silos give nothing there. */
export const onFleet: Target = { siloId: fleetId }

/** Callers who need no role for an action on the target; null if a role is needed. */
export function withoutRole(words: readonly Allow[], person: Actor | null, target: Target) {
  if (words.includes('public')) return 'everyone' as const
  if (words.includes('user')) return 'users' as const
  // Content of a project is visible only with a role on it.
  const isOfSilo = !target.project && (person === null || permits(person, 'silo.user', target))
  if (words.includes('silo.user') && isOfSilo) return 'users_of_silo' as const
  return words.includes('self') && (person === null || permits(person, 'self', target))
    ? ('user_itself' as const)
    : null
}

/** The values that mean a role. */
export const rolesOf = (words: readonly Allow[]): Allow[] =>
  words.filter((word) => /^\w+\.(?!user)/.test(word))

/** True if the actor may read the policy of an assignment. */
export function mayRead(asker: Actor, { level, id, siloId }: Place): boolean {
  if (level === 'fleet') return permits(asker, operations.systemPolicyView.allow)
  if (level === 'silo') return permits(asker, operations.siloPolicyView.allow, { siloId: id })
  return permits(asker, operations.projectPolicyView.allow, { project: { id, siloId } })
}

const throughTo = (level: Place['level'], { resourceType }: Assigned): Path['through'] =>
  resourceType === level ? 'assigned' : level === 'fleet' ? 'mapped' : 'inherited'

/** The assignments that can count on a project or above it. */
export function nearTo(assignments: readonly RoleAssignmentTable[]) {
  const general = assignments.filter(({ resourceType }) => resourceType !== 'project')
  const ofProjects = Map.groupBy(
    assignments.filter(({ resourceType }) => resourceType === 'project'),
    ({ resourceId }) => resourceId,
  )
  return (projectId: string | undefined) => [...general, ...(ofProjects.get(projectId ?? '') ?? [])]
}

/** The effective role on a place, and each of the assignments near to it that gives a role there. Null without one. */
export function roleWithPaths(person: Person, place: Place, near: readonly RoleAssignmentTable[]) {
  const role = roleOn(actorWith(person, near), place)
  if (role === null) return null
  const giving = near.filter((one) => roleOn(actorWith(person, [one]), place) !== null)
  return {
    role,
    paths: giving.map((assignment) => ({ assignment, through: throughTo(place.level, assignment) })),
  }
}

/** Each assignment that alone permits one of the values. */
const sufficing = (
  person: Person,
  words: readonly Allow[],
  on: { target: Target; assignments: readonly RoleAssignmentTable[] },
): Path[] =>
  (on.target.project ? nearTo(on.assignments)(on.target.project.id) : on.assignments)
    .filter((one) => may(actorWith(person, [one]), words, on.target))
    .map((assignment) => ({ assignment, through: throughFor(words, on.target, assignment) }))

/** The role on the fleet that an operation needs in addition, as a list. */
export const alsoOf = ({ alsoNeeds }: OpShape): Allow[] => (alsoNeeds === undefined ? [] : [alsoNeeds])

/** Each assignment that alone gives one of the values, or the role on the fleet that is needed in addition. */
export function pathsTo(
  op: OpShape,
  person: Person,
  { words, ...on }: { words: readonly Allow[]; target: Target; assignments: readonly RoleAssignmentTable[] },
): Path[] {
  const { assignments } = on
  const also = alsoOf(op)
  return [
    ...sufficing(person, words, on),
    ...(also.length > 0 ? sufficing(person, also, { target: onFleet, assignments }) : []),
  ]
}

/** By which of the levels that the values speak of an assignment suffices. */
function throughFor(words: readonly Allow[], target: Target, assignment: Assigned): Path['through'] {
  const { resourceType } = assignment
  if (resourceType === 'project' || words.some((word) => word.startsWith(`${resourceType}.`)))
    return 'assigned'
  return target.project &&
    assignment.resourceType === 'silo' &&
    words.some((word) => word.startsWith('project.'))
    ? 'inherited'
    : 'mapped'
}

/** A silo, with the roles on the fleet that it confers. */
export interface Conferring {
  id: string
  mappedFleetRolesJson: string
}

/** Assignments of one role on a resource or, without an id, on every project of a silo. */
export interface Sufficient extends Pick<Assigned, 'resourceType' | 'roleName'> {
  resourceId: string | null
  siloId: string | null
}

/** Every assignment that would permit one of the values, for any holder; `silos` are those that count. */
export function sufficient(
  words: readonly Allow[],
  target: Target,
  silos: readonly Conferring[],
): Sufficient[] {
  const { project, siloId } = target
  const places = [
    { resourceType: 'fleet' as const, resourceId: fleetId, silo: null },
    ...silos.map((silo) => ({ resourceType: 'silo' as const, resourceId: silo.id, silo })),
    {
      resourceType: 'project' as const,
      resourceId: project?.id ?? null,
      silo: silos.find(({ id }) => id === (project?.siloId ?? siloId)) ?? null,
    },
  ]
  return places.flatMap(({ silo, ...place }) =>
    roles
      .map((roleName) => ({ ...place, roleName, siloId: silo?.id ?? null }))
      .filter((one) => may(holderOf({ ...one, resourceId: one.resourceId ?? '' }, silo), words, target)),
  )
}

/** A user of a silo, or of none, with only this assignment. */
const holderOf = (assignment: Assigned, silo: Conferring | null): Actor => ({
  ...actorFrom(
    {
      userId: '',
      displayName: '',
      siloName: '',
      siloId: silo?.id ?? '',
      mappedFleetRolesJson: silo?.mappedFleetRolesJson ?? '{}',
    },
    [],
    [assignment],
  ),
  sessionId: '',
  authMethod: null,
  scope: null,
})
