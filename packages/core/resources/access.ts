/** Who may do what, and why: answered by the code that authorizes requests. */
import type { Allow, OpShape } from '@purlin/contract/op'
import { operations } from '@purlin/contract/operations'
import { kindNames, kinds, type KindName } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { isUuid } from '@purlin/contract/rules/names'
import type { PageQuery } from '@purlin/contract/schemas/page'
import { snake } from '@purlin/contract/wire'
import { permits, wordsInSilo, wordsOf, type Target } from '#/auth/access.ts'
import {
  mayRead,
  nearTo,
  onFleet,
  roleWithPaths,
  rolesOf,
  sufficient,
  sufficing,
  withoutRole,
  type Path,
  type Place,
} from '#/auth/explain.ts'
import { actorsOf, actorWith, type Person } from '#/auth/people.ts'
import { permitOn, resolveTarget } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { fleetId } from '#/db/fleet.ts'
import { pageById, pageByKey } from '#/db/pages.ts'
import type { RoleAssignmentTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

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
      isComplete: isSelf || (permits(ctx.actor, 'fleet.viewer') && readsProjects(ctx, row.siloId)),
    }
    if (operation === undefined) {
      const places = place ? [place] : placesOf(person, assignments)
      const page = pageByKey<Place>(ctx, few(query), { items: places, keyOf: keyOfPlace })
      return { ...head, ...page, items: await effective(ctx, person, { places: page.items, assignments }) }
    }
    const decision = await decide(ctx, person, { operation, place, assignments })
    const keyOf = ({ level, resourceId: id }: { level: Place['level']; resourceId: string }) =>
      keyOfPlace({ level, id })
    const page = pageByKey(ctx, query, { items: decision.items, keyOf })
    return { ...head, allowed: decision.allowed, withoutRole: decision.withoutRole, ...page }
  },

  async accessWhoCan(ctx, { query }) {
    const op = operationNamed(query.operation)
    const place = await placeOf(ctx, query.resource, ctx.op.allow)
    const words = wordsFor(op, place)
    const isFleetSeen = permits(ctx.actor, 'fleet.viewer')
    const seen = isFleetSeen ? rolesOf(words) : rolesOf(words).filter((word) => !word.startsWith('fleet.'))
    const free = withoutRole(words, null, place.target)
    const silos = await silosThatCount(ctx, place, isFleetSeen)
    const rows =
      free === null || free === 'user_itself'
        ? holders(ctx, sufficient(seen, place.target, silos))
        : usersOf(ctx, place)
    const { items, nextPage } = await pageById(ctx, few(query), { rows, table: 'siloUser' })
    const people = await actorsOf(
      ctx,
      items.map(({ id }) => id),
      [fleetId, ...silos.map(({ id }) => id), ...(place.target.project ? [place.target.project.id] : [])],
    )
    const names = new Map(silos.map(({ id, name }) => [id, name]))
    if (place.name !== null) names.set(place.id, place.name)
    const { target } = place
    const views = people.map((person) => ({
      id: person.id,
      displayName: person.row.displayName,
      siloId: person.row.siloId,
      paths: pathViews(person, sufficing(person, seen, { target, assignments: person.assignments }), names),
    }))
    return {
      isComplete: seen.length === rolesOf(words).length,
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

/** The user or group that is asked about. Throws 403, 404. */
async function personSeen(ctx: Ctx, identity: string): Promise<Person> {
  const [person] = await actorsOf(ctx, [identity.toLowerCase()])
  const isSeen = person && permits(ctx.actor, ['silo.user', 'fleet.viewer'], { siloId: person.row.siloId })
  if (!person || !isSeen) throw fault.notFound('silo-user', identity)
  permitOn(ctx, { siloId: person.row.siloId, userId: person.id })
  return person
}

const readsProjects = ({ actor }: Ctx, siloId: string) => permits(actor, 'silo.viewer', { siloId })

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

const kindOfType = new Map<string, KindName>(kindNames.map((kind) => [kinds[kind].type, kind]))

/** What a text such as `project:web` names, for a caller to whom `allow` applies there. Throws 400, 403, 404. */
export async function placeOf(ctx: Ctx, text: string, allow: OpShape['allow']): Promise<NamedPlace> {
  if (text === 'fleet') {
    if (allow === ctx.op.allow) permitOn(ctx, onFleet)
    return { level: 'fleet', id: fleetId, siloId: fleetId, name: null, target: onFleet, isOfSilo: false }
  }
  const [, type = '', name = ''] = /^([a-z-]+):(.+)$/.exec(text) ?? []
  const kind = kindOfType.get(type)
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
function wordsFor({ allow }: OpShape, { level, isOfSilo }: NamedPlace): readonly Allow[] {
  if (isOfSilo) return wordsInSilo(allow)
  const words = wordsOf(allow)
  if (level !== 'project' && words.every((word) => word.startsWith('project.')))
    throw fault.invalidValue('resource', 'this operation is about a project or what is in it')
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
  const names = await namesOf(ctx, places, person)
  const near = nearTo(assignments)
  return places.flatMap((place) => {
    const found = roleWithPaths(person, place, near(place.id))
    if (!found) return []
    const { level, id } = place
    const paths = pathViews(person, found.paths, names)
    return [{ level, resourceId: id, resourceName: names.get(id) ?? null, role: found.role, paths }]
  })
}

/** Whether someone may do it, and by which of its roles. */
async function decide(
  ctx: Ctx,
  person: Person,
  asked: { operation: string; place: NamedPlace | undefined; assignments: readonly RoleAssignmentTable[] },
) {
  const op = operationNamed(asked.operation)
  const place = asked.place ?? (await usualPlace(ctx, person, op))
  const words = wordsFor(op, place)
  const { target } = place
  const actor = actorWith(person, asked.assignments)
  const paths = sufficing(person, rolesOf(words), { target, assignments: asked.assignments })
  const levels = Map.groupBy(paths, ({ assignment, through }) =>
    through === 'mapped' ? 'fleet' : through === 'inherited' ? 'project' : assignment.resourceType,
  )
  const silo: Place = { level: 'silo', id: person.row.siloId, siloId: person.row.siloId }
  const fleet: Place = { level: 'fleet', id: fleetId, siloId: fleetId }
  const at = { fleet, silo, project: place }
  const names = await namesOf(ctx, [place], person)
  if (place.name !== null) names.set(place.id, place.name)
  const near = nearTo(asked.assignments)
  const items = [...levels].flatMap(([level, some]) => {
    const found = roleWithPaths(person, at[level], near(at[level].id))
    const resourceId = at[level].id
    const views = pathViews(person, some, names)
    return found
      ? [{ level, resourceId, resourceName: names.get(resourceId) ?? null, role: found.role, paths: views }]
      : []
  })
  return {
    allowed: permits(actor, words, target),
    withoutRole: withoutRole(words, actor, target),
    items,
  }
}

/** What an operation is about that is asked for without a resource: the fleet, or the silo of whom is asked about. */
async function usualPlace(ctx: Ctx, { row, id }: Person, { allow }: OpShape): Promise<NamedPlace> {
  const words = wordsOf(allow)
  if (words.every((word) => word.startsWith('project.')))
    throw fault.invalidValue('resource', 'it is needed: this operation is about a project or what is in it')
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

/** The names of the silo and projects among the places, by id. */
async function namesOf({ tx }: Ctx, places: readonly Place[], { row }: Person): Promise<Map<string, string>> {
  const ids = places.filter(({ level }) => level === 'project').map(({ id }) => id)
  const projects = ids.length
    ? await tx.selectFrom('project').select(['id', 'name']).where('id', 'in', ids).execute()
    : []
  return new Map([[row.siloId, row.siloName], ...projects.map(({ id, name }) => [id, name] as const)])
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

/** The users who have one of the assignments, by themselves or through a group. */
function holders({ tx, now }: Ctx, assigned: ReturnType<typeof sufficient>) {
  const identities = tx
    .selectFrom('roleAssignment')
    .select('roleAssignment.identityId')
    .where((eb) => eb.or([eb('timeExpires', 'is', null), eb('timeExpires', '>', now)]))
    .where((eb) =>
      eb.or(
        assigned.map(({ resourceType, resourceId, roleName }) =>
          eb.and({ resourceType, resourceId, roleName }),
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
