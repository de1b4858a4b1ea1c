/** Answers questions about permissions with the code that authorizes requests. */
import type { Allow, OpShape } from '@purlin/contract/op'
import { operations } from '@purlin/contract/operations'
import { kindOfType } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { isUuid } from '@purlin/contract/rules/names'
import type { PageQuery } from '@purlin/contract/schemas/page'
import { snake } from '@purlin/contract/wire'
import { hasFleetRole, may, permits, wordsInSilo, wordsOf, type Target } from '#/auth/access.ts'
import {
  alsoOf,
  mayRead,
  nearTo,
  onFleet,
  pathsTo,
  roleWithPaths,
  rolesOf,
  sufficient,
  withoutRole,
  type Path,
  type Place,
  type Sufficient,
} from '#/auth/explain.ts'
import { actorsOf, actorWith, type Person } from '#/auth/people.ts'
import { permitOn, resolveTarget } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { pageById, pageByKey } from '#/db/lists/pages.ts'
import type { RoleAssignmentTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { keyLimitsOf } from './key-limits.ts'

export const access: Family<'accessExplain' | 'accessWhoCan'> = {
  async accessExplain(ctx, { query }) {
    const person = await personSeen(ctx, query.identity)
    const { resource, operation } = query
    const place = resource === undefined ? undefined : await placeOf(ctx, resource, 'user')
    const isSelf = person.id === ctx.actor.userId
    const assignments = isSelf ? person.assignments : person.assignments.filter(readableBy(ctx, person))
    const { identityType, row, id } = person
    const head = {
      identityType,
      identityId: id,
      displayName: row.displayName,
      siloId: row.siloId,
      siloName: row.siloName,
      groups: person.groups.slice(0, limits.page.default),
      groupsOmitted: Math.max(0, person.groups.length - limits.page.default),
      isComplete: isSelf || (permits(ctx.actor, 'fleet.viewer') && readsProjects(ctx, row.siloId)),
    }
    if (operation === undefined) {
      const places = place ? [place] : placesOf(person, assignments)
      const page = pageByKey<Place>(ctx, few(query), { items: places, keyOf: keyOfPlace })
      const keys = await keyLimitsOf(ctx, person, undefined)
      return {
        ...head,
        keys,
        ...page,
        items: await effective(ctx, person, { places: page.items, assignments }),
      }
    }
    const decision = await decide(ctx, person, { operation, place, assignments })
    const keyOf = ({ level, resourceId: id }: { level: Place['level']; resourceId: string }) =>
      keyOfPlace({ level, id })
    const page = pageByKey(ctx, query, { items: decision.items, keyOf })
    const { allowed, withoutRole, needed, asked } = decision
    const keys = await keyLimitsOf(ctx, person, asked)
    return {
      ...head,
      isComplete: isSelf || readsAll(ctx, person, needed),
      allowed,
      withoutRole,
      keys,
      ...page,
    }
  },

  async accessWhoCan(ctx, { query }) {
    const op = operationNamed(query.operation)
    const place = await placeOf(ctx, query.resource, ctx.op.allow)
    const words = wordsFor(op, place)
    const isFleetSeen = permits(ctx.actor, 'fleet.viewer')
    const seen = isFleetSeen ? rolesOf(words) : rolesOf(words).filter((word) => !word.startsWith('fleet.'))
    const free = withoutRole(words, null, place.target)
    const silos = await silosThatCount(ctx, place, isFleetSeen)
    const { target } = place
    const all = sufficient(seen, target, silos)
    const readable = all.filter((one) => one.resourceType !== 'project' || readsProjectsOf(ctx, one))
    const also = isFleetSeen ? sufficient(alsoOf(op), onFleet, silos) : []
    const some = free === null || free === 'user_itself' ? holders(ctx, readable) : usersOf(ctx, place)
    const rows = op.alsoNeeds
      ? some.where('siloUser.id', 'in', holders(ctx, also).select('siloUser.id'))
      : some
    const { items, nextPage } = await pageById(ctx, few(query), { rows, table: 'siloUser' })
    const people = await peopleNear(ctx, items, { assigned: [...readable, ...also], target })
    const found = people.map((person) => ({
      person,
      paths: pathsTo(op, person, { words: seen, target, assignments: person.assignments }),
    }))
    const names = await namesOf(ctx, projectsOf(found), silos)
    if (place.name !== null) names.set(place.id, place.name)
    const views = found.map(({ person, paths }) => ({
      id: person.id,
      displayName: person.row.displayName,
      siloId: person.row.siloId,
      paths: pathViews(person, paths, names),
    }))
    return {
      isComplete:
        seen.length === rolesOf(words).length &&
        readable.length === all.length &&
        (isFleetSeen || op.alsoNeeds === undefined),
      ...(free ? { withoutRole: free } : {}),
      items: views,
      nextPage,
    }
  },
}

/** A page of a list that has much to each row. */
const few = <Q extends PageQuery>(query: Q): Q => ({
  ...query,
  limit: Math.min(query.limit ?? limits.page.default, limits.page.withDetails),
})

/** The user or group in question. Throws 403, 404. */
async function personSeen(ctx: Ctx, identity: string): Promise<Person> {
  const [person] = await actorsOf(ctx, [identity.toLowerCase()])
  const isSeen = person && permits(ctx.actor, ['silo.user', 'fleet.viewer'], { siloId: person.row.siloId })
  if (!person || !isSeen) throw fault.notFound('silo-user', identity)
  permitOn(ctx, { siloId: person.row.siloId, userId: person.id })
  return person
}

/** True if the caller reads every policy that could have a role for one of the values. */
const readsAll = (ctx: Ctx, { row }: Person, words: readonly Allow[]) =>
  words.every((word) => {
    if (word.startsWith('fleet.')) return permits(ctx.actor, operations.systemPolicyView.allow)
    return !/^project\.|^silo\.member$/.test(word) || readsProjects(ctx, row.siloId)
  })

const readsProjects = ({ actor }: Ctx, siloId: string) => permits(actor, 'silo.viewer', { siloId })

/** True if the caller may read the policies of all projects of a silo, or of one. */
const readsProjectsOf = ({ actor }: Ctx, { resourceId, siloId }: Sufficient) =>
  mayRead(actor, { level: 'project', id: resourceId ?? '', siloId: siloId ?? '' })

/** The users, with the assignments that can be among those that suffice. */
async function peopleNear(
  ctx: Ctx,
  users: readonly { id: string }[],
  { assigned, target }: { assigned: readonly Sufficient[]; target: Target },
): Promise<Person[]> {
  const ids = users.map(({ id }) => id)
  const places = assigned.map(({ resourceId }) => resourceId)
  const isOfProject = ({ resourceType }: { resourceType: string }) => resourceType === 'project'
  // Roles on any project count if the question is not about one.
  const isAnyProject = target.project === undefined && assigned.some(isOfProject)
  const near = isAnyProject ? undefined : [...new Set(places.filter((one) => one !== null))]
  return actorsOf(ctx, ids, near)
}

const readableBy =
  ({ actor }: Ctx, { row }: Person) =>
  ({ resourceType, resourceId }: RoleAssignmentTable) =>
    mayRead(actor, { level: resourceType, id: resourceId, siloId: row.siloId })

interface NamedPlace extends Place {
  name: string | null
  target: Target
  /** The silo itself owns it instead of a project. */
  isOfSilo: boolean
}

/** The resource of a text such as `project:web`, for a caller to whom `allow` applies there. Throws 400, 403, 404. */
export async function placeOf(ctx: Ctx, text: string, allow: OpShape['allow']): Promise<NamedPlace> {
  if (text === 'fleet') {
    if (allow === ctx.op.allow) permitOn(ctx, onFleet)
    return { level: 'fleet', id: fleetId, siloId: fleetId, name: null, target: onFleet, isOfSilo: false }
  }
  const [, type = '', name = ''] = /^([a-z-]+):(.+)$/.exec(text) ?? []
  const kind = kindOfType(type)
  const isNamed = kind === 'silo' || kind === 'project' || isUuid(name)
  if (kind === undefined || !isNamed)
    throw fault.invalidValue('resource', 'it is "fleet", "silo:NAME", "project:NAME", or a type and an id')
  const { name: called = null, ...target } = await resolveTarget(ctx, [kind, name], allow)
  const { project, siloId = ctx.actor.siloId } = target
  if (project) {
    const projectName = kind === 'project' ? called : await nameOfProject(ctx, project.id)
    return { level: 'project', ...project, name: projectName, target, isOfSilo: false }
  }
  return {
    level: 'silo',
    id: siloId,
    siloId,
    name: kind === 'silo' ? called : null,
    target,
    isOfSilo: kind === 'image',
  }
}

async function nameOfProject({ tx }: Ctx, id: string): Promise<string | null> {
  const row = await tx.selectFrom('project').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name ?? null
}

const operationOfName = new Map<string, OpShape>(
  Object.entries(operations).map(([name, op]) => [snake(name), op]),
)

function operationNamed(name: string): OpShape {
  const op = operationOfName.get(name)
  if (!op) throw fault.invalidValue('operation', 'there is no operation of this name')
  return op
}

/** The `allow` values of an operation on a place. Throws 400 if it cannot be about that. */
function wordsFor(op: OpShape, { level, isOfSilo }: NamedPlace): readonly Allow[] {
  const words = isOfSilo || level === 'silo' ? wordsInSilo(op) : wordsOf(op.allow)
  if (level !== 'project' && words.every((word) => word.startsWith('project.')))
    throw fault.invalidValue('resource', 'this operation needs a project or a resource in one')
  return words
}

const keyOfPlace = ({ level, id }: Pick<Place, 'level' | 'id'>) =>
  `${['fleet', 'silo', 'project'].indexOf(level)} ${id}`

/** The fleet, the silo and the projects that someone has roles on. */
function placesOf({ row }: Person, assignments: readonly RoleAssignmentTable[]): Place[] {
  const { siloId } = row
  const projects = assignments.filter((one) => one.resourceType === 'project').map((one) => one.resourceId)
  return [
    { level: 'fleet', id: fleetId, siloId },
    { level: 'silo', id: siloId, siloId },
    ...[...new Set(projects)].toSorted().map((id) => ({ level: 'project' as const, id, siloId })),
  ]
}

async function effective(
  ctx: Ctx,
  person: Person,
  { places, assignments }: { places: readonly Place[]; assignments: readonly RoleAssignmentTable[] },
) {
  const names = await namesOf(ctx, places, [siloOf(person)])
  const near = nearTo(assignments)
  return places.flatMap((place) => {
    const found = roleWithPaths(person, place, near(place.id))
    if (!found) return []
    const { level, id } = place
    const paths = pathViews(person, found.paths, names)
    return [{ level, resourceId: id, resourceName: names.get(id) ?? null, role: found.role, paths }]
  })
}

/** Whether the user or group may run an operation, and by which of its roles. */
async function decide(
  ctx: Ctx,
  person: Person,
  question: { operation: string; place: NamedPlace | undefined; assignments: readonly RoleAssignmentTable[] },
) {
  const op = operationNamed(question.operation)
  const place = question.place ?? (await usualPlace(ctx, person, op))
  const words = wordsFor(op, place)
  const { target } = place
  const actor = actorWith(person, question.assignments)
  const { assignments } = question
  const paths = pathsTo(op, person, { words: rolesOf(words), target, assignments })
  const { siloId } = person.row
  const places = new Map<string, Place>()
  const giving = Map.groupBy(paths, ({ assignment, through }) => {
    const { resourceType, resourceId } = assignment
    const given: Place =
      through === 'mapped'
        ? { level: 'fleet', id: fleetId, siloId: fleetId }
        : through === 'inherited'
          ? place
          : { level: resourceType, id: resourceId, siloId }
    places.set(keyOfPlace(given), given)
    return keyOfPlace(given)
  })
  const names = await namesOf(ctx, [place, ...places.values()], [siloOf(person)])
  if (place.name !== null) names.set(place.id, place.name)
  const near = nearTo(assignments)
  const inOrder = [...places].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const items = inOrder.flatMap(([key, one]) => {
    const { level, id: resourceId } = one
    const found = roleWithPaths(person, one, near(resourceId))
    const views = pathViews(person, giving.get(key) ?? [], names)
    return found
      ? [{ level, resourceId, resourceName: names.get(resourceId) ?? null, role: found.role, paths: views }]
      : []
  })
  return {
    needed: [...(target.project ? words.filter((word) => !word.startsWith('fleet.')) : words), ...alsoOf(op)],
    allowed:
      (withoutRole(words, actor, target) !== null || may(actor, words, target)) && hasFleetRole(actor, op),
    withoutRole: withoutRole(words, actor, target),
    asked: { op, target },
    items,
  }
}

/**
 * The target of an operation in a question without a resource: the fleet, or the silo of the user or group in
 * question.
 */
async function usualPlace(ctx: Ctx, { row, id }: Person, { allow }: OpShape): Promise<NamedPlace> {
  const words = wordsOf(allow)
  if (words.every((word) => word.startsWith('project.')))
    throw fault.invalidValue('resource', 'required: this operation needs a project or a resource in one')
  if (words.every((word) => word.startsWith('fleet.'))) return placeOf(ctx, 'fleet', 'user')
  const { siloId, siloName } = row
  return {
    level: 'silo',
    id: siloId,
    siloId,
    name: siloName,
    target: { siloId, userId: id },
    isOfSilo: false,
  }
}

const siloOf = ({ row }: Person) => ({ id: row.siloId, name: row.siloName })

/** The projects that are on the paths. */
const projectsOf = (found: readonly { paths: readonly Path[] }[]): Pick<Place, 'level' | 'id'>[] =>
  found.flatMap(({ paths }) =>
    paths.map(({ assignment }) => ({ level: assignment.resourceType, id: assignment.resourceId })),
  )

/** The names of the silos, and of the projects among the places, by id. */
async function namesOf(
  { tx }: Ctx,
  places: readonly Pick<Place, 'level' | 'id'>[],
  silos: readonly { id: string; name: string }[],
): Promise<Map<string, string>> {
  const ids = [...new Set(places.filter(({ level }) => level === 'project').map(({ id }) => id))]
  const projects = ids.length
    ? await tx.selectFrom('project').select(['id', 'name']).where('id', 'in', ids).execute()
    : []
  return new Map([...silos, ...projects].map(({ id, name }) => [id, name]))
}

function pathViews(person: Person, paths: readonly Path[], names: ReadonlyMap<string, string>) {
  const groups = new Map(person.groups.map((group) => [group.id, group]))
  return paths.map(({ assignment, through }) => {
    const { resourceType, resourceId, roleName, timeExpires, identityId } = assignment
    const group = groups.get(identityId)
    return {
      level: resourceType,
      resourceId,
      resourceName: names.get(resourceId) ?? null,
      roleName,
      ...(timeExpires === null ? {} : { timeExpires: new Date(timeExpires) }),
      ...(group ? { group } : {}),
      through,
    }
  })
}

/** The silos whose roles can count for a place: its own, and those that confer roles on the fleet. */
async function silosThatCount({ tx }: Ctx, { siloId }: Place, isFleetSeen: boolean) {
  return tx
    .selectFrom('silo')
    .select(['id', 'name', 'mappedFleetRolesJson'])
    .where((eb) =>
      eb.or([eb('id', '=', siloId), ...(isFleetSeen ? [eb('mappedFleetRolesJson', '!=', '{}')] : [])]),
    )
    .execute()
}

const usersOf = ({ tx, actor }: Ctx, { level, siloId }: Place) =>
  tx.selectFrom('siloUser').where('siloUser.siloId', '=', level === 'fleet' ? actor.siloId : siloId)

/** The users who have one of the assignments, directly or through a group. */
function holders({ tx, now }: Ctx, assigned: readonly Sufficient[]) {
  const identities = tx
    .selectFrom('roleAssignment')
    .select('roleAssignment.identityId')
    .where((eb) => eb.or([eb('timeExpires', 'is', null), eb('timeExpires', '>', now)]))
    .where((eb) =>
      eb.or(
        assigned.map(({ resourceType, resourceId, roleName, siloId }) =>
          resourceId === null
            ? eb.and([
                eb.and({ resourceType, roleName }),
                eb('resourceId', 'in', tx.selectFrom('project').select('id').where('siloId', '=', siloId)),
              ])
            : eb.and({ resourceType, resourceId, roleName }),
        ),
      ),
    )
  const members = tx
    .selectFrom('groupMember')
    .select('groupMember.userId')
    .where('groupMember.groupId', 'in', identities)
  return tx
    .selectFrom('siloUser')
    .where((eb) => eb.or([eb('siloUser.id', 'in', identities), eb('siloUser.id', 'in', members)]))
}
