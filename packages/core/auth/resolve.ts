/**
 * Name or id → a row that this actor may use. Handlers get the rows of a request only from here, and an operation's
 * `allow` is checked only here. A row that the actor may not even read is not found (404); one that the actor may
 * read but not change is forbidden (403). Only the checks here set `isChecked` of the unit of work.
 */
import type { OpShape } from '@purlin/contract/op'
import { operations } from '@purlin/contract/operations'
import { isInProject, kindNames, kinds, scopeOf, typeOf, type KindName } from '@purlin/contract/rules/kinds'
import { canonicalUuid, isUuid } from '@purlin/contract/rules/names'
import type { Role } from '@purlin/contract/rules/roles'
import {
  hasFleetRole,
  permits,
  roleOn,
  seesProject,
  wordsInSilo,
  type ProjectScope,
  type Target,
} from './access.ts'
import { reachesSilo } from './credential-scope.ts'
import { rowBy, withProject, type Row } from './row-queries.ts'
import { visible, type VisibleKind } from './visible.ts'
import { together } from '#/concurrency/together.ts'
import type { Ctx } from '#/context.ts'
import { noteTarget } from '#/audit/touched.ts'
import { kindRows, type RowOf } from '#/db/kinds.ts'
import { fault } from '#/faults.ts'

type Kinds = typeof kinds
type Field<K extends KindName> = Kinds[K]['field']
/** The scope of a name: the kinds above it, up to its project. */
type Above<K extends KindName> = K extends VisibleKind | 'project'
  ? never
  : Kinds[K]['parent'] extends infer P extends KindName
    ? P | Above<P>
    : never
/** The parents that make the name of a kind unique. */
export type Parents<K extends KindName> = { readonly [F in Field<Above<K>>]?: string | null | undefined }

/**
 * The selector of a row of kind `K`: a name or id in the kind's field, and the parents that make a name unique, in
 * theirs. With an id, parents are refused, except those in `within`, which only apply to names.
 */
export type Selector<K extends KindName> = K extends KindName
  ? { readonly [F in Field<K>]: string } & Parents<K> & { readonly within?: Parents<K> }
  : never

type Resolved<K extends KindName> = RowOf<K> & (K extends 'ipPool' ? { isDefault: number } : unknown)

/** The row that the operation acts on. Throws 400, 403, 404. */
export async function resolve<K extends KindName>(
  ctx: Ctx,
  kind: K,
  selector: Selector<K>,
): Promise<Resolved<K>> {
  // Outside of projects, the permission does not depend on the row.
  if (isVisible(kind)) permit(ctx)
  const { row, project } = await find(ctx, kind, selector)
  noteTarget(ctx.unit, kind, row)
  if (project) check(ctx, ctx.op.allow, { project })
  else if (!isVisible(kind)) permitInSilo(ctx)
  return row
}

/** A row that the operation only reads: the actor must be able to see it. Throws 400, 404. */
export async function resolveToRead<K extends KindName>(
  ctx: Ctx,
  kind: K,
  selector: Selector<K>,
): Promise<Resolved<K>> {
  return (await find(ctx, kind, selector)).row
}

/** The actor's role on a project; null without one, and for a project that does not exist. */
export async function ownRoleOn(ctx: Ctx, project: string): Promise<Role | null> {
  const by = isUuid(project) ? namedBy(project) : { ...namedBy(project), siloId: ctx.actor.siloId }
  const row = await rowBy(ctx, 'project', by)
  return row ? roleOn(ctx.actor, { level: 'project', id: row.id, siloId: row.siloId ?? '' }) : null
}

/** True if the actor may do to the contents of a project what `allow` is about. */
export async function permitsInProject(ctx: Ctx, id: string, allow: OpShape['allow']): Promise<boolean> {
  const row = await rowBy(ctx, 'project', namedBy(id))
  return row !== undefined && permits(ctx.actor, allow, { project: { id, siloId: row.siloId ?? '' } })
}

/** The user of the actor's silo that the operation is about. Throws 403, 404. */
export async function resolveUser(ctx: Ctx, userId: string): Promise<RowOf<'siloUser'>> {
  const { row } = await findVisible(ctx, 'siloUser', userId)
  noteTarget(ctx.unit, 'siloUser', row)
  check(ctx, ctx.op.allow, { userId: row.id, siloId: ctx.actor.siloId })
  return row as RowOf<'siloUser'>
}

/**
 * Like `resolve`, for any kind by its name or id. A resource outside of projects belongs to its silo. Throws 400,
 * 403, 404.
 */
export async function resolveTarget(
  ctx: Ctx,
  [kind, nameOrId]: readonly [KindName, string],
  allow: OpShape['allow'],
): Promise<Target & { name: string | undefined }> {
  const read = viewOf[kind]
  if (read) {
    const row = await rowSeen(ctx, [kind, nameOrId], read)
    const siloId = kind === 'silo' ? row.id : (row.siloId ?? ctx.actor.siloId)
    check(ctx, allow, { siloId })
    return { name: row.name, siloId, userId: kind === 'siloUser' ? row.id : undefined }
  }
  const { row, project } = await findRow(ctx, kind, { fields: { [kinds[kind].field]: nameOrId } })
  const target = project ? { project } : { siloId: ctx.actor.siloId }
  check(ctx, allow, target)
  return { ...target, name: row.name }
}

const views: Readonly<Partial<Record<string, OpShape>>> = operations
/** The views of what callers from other silos may see as well, or not every user of the silo: of all that is the fleet's. */
const viewOf: Readonly<Partial<Record<string, OpShape | undefined>>> = {
  ...Object.fromEntries(
    kindNames.filter((kind) => scopeOf(kind) === 'fleet').map((kind) => [kind, views[`${kind}View`]]),
  ),
  silo: operations.siloPolicyView,
  siloUser: operations.siloUserView,
  certificate: operations.certificateView,
  scimToken: operations.scimTokenView,
}

/** A row that its view would show to the caller. Throws 404. */
async function rowSeen(ctx: Ctx, [kind, nameOrId]: [KindName, string], { allow }: OpShape): Promise<Row> {
  // Every user sees the pools that are linked to the own silo.
  if (kind === 'ipPool' && !permits(ctx.actor, allow)) return (await findVisible(ctx, kind, nameOrId)).row
  const row = await rowBy(ctx, kind, namedBy(nameOrId))
  const siloId = kind === 'silo' ? row?.id : row?.siloId
  if (!row || !permits(ctx.actor, allow, { siloId })) throw fault.notFound(kinds[kind].type, nameOrId)
  return row
}

/** Checks the operation's `allow` for a target that the handler knows already. Throws 403. */
export const permitOn = (ctx: Ctx, target: Target): void => check(ctx, ctx.op.allow, target)

/**
 * The row that an operation of the fleet acts on, in any silo. Without a fleet role, the caller sees only their own
 * silo. Throws 403, 404.
 */
export async function resolveInFleet<K extends KindName>(
  ctx: Ctx,
  kind: K,
  nameOrId: string,
): Promise<RowOf<K>> {
  const row = await rowBy(ctx, kind, namedBy(nameOrId))
  const target = { siloId: kind === 'silo' ? row?.id : undefined }
  const sees = permits(ctx.actor, 'fleet.viewer') || row?.id === ctx.actor.siloId
  if (!row || !sees) throw fault.notFound(kinds[kind].type, nameOrId)
  noteTarget(ctx.unit, kind, row)
  check(ctx, ctx.op.allow, target)
  return row
}

/**
 * The row of a silo that the operation acts on: one of the own silo, or of any silo by its id if the operation's `allow`
 * says so. For others there are none. Throws 404.
 */
export async function resolveInSilo<K extends KindName>(
  ctx: Ctx,
  kind: K,
  nameOrId: string,
): Promise<RowOf<K>> {
  const by = namedBy(nameOrId)
  const row = await rowBy(ctx, kind, 'id' in by ? by : { ...by, siloId: ctx.actor.siloId })
  if (!row || !permits(ctx.actor, ctx.op.allow, { siloId: row.siloId }))
    throw fault.notFound(kinds[kind].type, nameOrId)
  noteTarget(ctx.unit, kind, row)
  check(ctx, ctx.op.allow, { siloId: row.siloId })
  return row
}

/** The row in something that the operation's `allow` has been checked for. Throws 404. */
export async function resolveWithin<K extends KindName>(
  ctx: Ctx,
  [kind, nameOrId]: [K, string],
  holderId: string,
): Promise<RowOf<K>> {
  const row = await rowBy(ctx, kind, { [kindRows[kind].parent ?? 'id']: holderId, ...namedBy(nameOrId) })
  if (!row) throw fault.notFound(kinds[kind].type, nameOrId)
  noteTarget(ctx.unit, kind, row)
  return row
}

/** The kinds that can be looked up by id: projects, and their content or that of silos. */
const lookedUp = kindNames.filter((kind) => kind === 'project' || isInProject(kind))

/** Something with the silo, and the project, that it belongs to. */
export interface Anything {
  kind: KindName
  row: { id: string; name: string }
  siloId: string
  project: ProjectScope | undefined
}

async function findAnywhere(ctx: Ctx, id: string): Promise<Anything | undefined> {
  const rows = await together(lookedUp.map((kind) => rowBy(ctx, kind, { id: id.toLowerCase() })))
  const at = rows.findIndex((row) => row !== undefined)
  const [kind, row] = [lookedUp[at], rows[at]]
  if (!kind || !row) return undefined
  const isProject = kind === 'project'
  const project = await projectOf(ctx, isProject ? { ...row, projectId: row.id } : row)
  return { kind, row: row as Anything['row'], siloId: project?.siloId ?? row.siloId ?? '', project }
}

/** The resource of the actor's silo with an id, of any kind. Throws 403, 404. */
export async function resolveAnything(ctx: Ctx, id: string): Promise<Anything> {
  const found = await findAnywhere(ctx, id)
  const isSeen = found?.project ? seesProject(ctx.actor, found.project) : found?.siloId === ctx.actor.siloId
  if (!found || !isSeen) throw fault.notFound('resource', id)
  if (found.project) check(ctx, ctx.op.allow, { project: found.project })
  else permitInSilo(ctx)
  return found
}

/** The same of any silo, for operations of the fleet. Throws 403, 404. */
export async function resolveAnythingInFleet(ctx: Ctx, id: string): Promise<Anything> {
  permit(ctx)
  const found = await findAnywhere(ctx, id)
  if (!found) throw fault.notFound('resource', id)
  return found
}

const namedBy = (nameOrId: string): { id: string } | { name: string } =>
  isUuid(nameOrId) ? { id: canonicalUuid(nameOrId) } : { name: nameOrId }

/** Where rows are that a project or the silo may own: `id` is that of the owner. */
export interface Scope {
  id: string
  siloId: string
  projectId: string | null
}

/** The project that a request names or, without one, the actor's silo. Throws 403, 404. */
export async function resolveScope(
  ctx: Ctx,
  { project }: { project?: string | null | undefined },
): Promise<Scope> {
  if (project == null) {
    permitInSilo(ctx)
    const { siloId } = ctx.actor
    return { id: siloId, siloId, projectId: null }
  }
  const { id, siloId } = await resolve(ctx, 'project', { project })
  return { id, siloId, projectId: id }
}

/** Checks the operation's `allow`, or the given one, where the permission does not depend on a row. Throws 403. */
export function permit(ctx: Ctx, allow: OpShape['allow'] = ctx.op.allow): void {
  check(ctx, allow, {})
}

/** A resource of the silo outside of projects: all its users read it, and its collaborators change it. */
function permitInSilo(ctx: Ctx): void {
  const isPermitted = wordsInSilo(ctx.op).some((word) => permits(ctx.actor, word))
  if (!isPermitted || !reachesSilo(ctx.actor, ctx.op)) throw fault.forbidden()
  ctx.unit.isChecked = true
}

function check(ctx: Ctx, allow: OpShape['allow'], target: Target): void {
  if (!permits(ctx.actor, allow, target) || !hasFleetRole(ctx.actor, ctx.op)) throw fault.forbidden()
  ctx.unit.isChecked = true
}

interface Found {
  row: Row
  /** Undefined for what no project owns. */
  project: ProjectScope | undefined
}
/** The values of a selector. */
type Fields = Readonly<Record<string, string | null | undefined>>

const isVisible = (kind: KindName): kind is VisibleKind => kind in visible

async function find<K extends KindName>(
  ctx: Ctx,
  kind: K,
  selector: Selector<K>,
): Promise<{ row: Resolved<K> & Row; project: ProjectScope | undefined }> {
  const { within, ...fields }: { within?: Fields } = selector
  const { row, project } = await findRow(ctx, kind, { fields, within })
  // The kind says which table it is from.
  return { row: row as Resolved<K> & Row, project }
}

async function findRow(
  ctx: Ctx,
  kind: KindName,
  { fields, within }: { fields: Fields; within?: Fields | undefined },
): Promise<Found> {
  const value = fields[kinds[kind].field] ?? ''
  if (isVisible(kind)) return findVisible(ctx, kind, value)
  if (kind === 'project') return findProject(ctx, value)
  if (!isUuid(value)) return findByName(ctx, kind, { ...within, ...fields })
  const parents = fieldsAbove(kind)
  if (parents.some((field) => fields[field] != null)) throw fault.parentWithId(wordOf(kind), parents)
  return findById(ctx, kind, canonicalUuid(value))
}

// The API's messages use the field's name if it is one word, and the noun otherwise.
const wordOf = (kind: KindName) => (/[A-Z]/.test(kinds[kind].field) ? kinds[kind].noun : kinds[kind].field)

function fieldsAbove(kind: KindName): string[] {
  const { parent } = kinds[kind]
  return kind === 'project' || parent === null ? [] : [kinds[parent].field, ...fieldsAbove(parent)]
}

async function findVisible(ctx: Ctx, kind: VisibleKind, value: string): Promise<Found> {
  const byId = isUuid(value)
  // The builder cannot know that a table in a variable has these columns.
  const rows = visible[kind as 'silo'](ctx)
  const row = await rows
    .where(`${kind}.${byId ? 'id' : 'name'}` as 'silo.id', '=', byId ? canonicalUuid(value) : value)
    .executeTakeFirst()
  if (!row) throw fault.notFound(kinds[kind].type, value)
  return { row, project: undefined }
}

async function findByName(ctx: Ctx, kind: KindName, fields: Fields): Promise<Found> {
  const { field, parent } = kinds[kind]
  const name = fields[field] ?? ''
  const { project } = fields
  if (parent === 'project' && project != null) return findInProject(ctx, kind, { name, project })
  const owner = parent === null ? undefined : await findOwner(ctx, [kind, parent], fields)
  const row = await rowBy(ctx, kind, { [kindRows[kind].parent ?? 'id']: owner?.id ?? '', name })
  if (!row) throw fault.notFound(typeOf(kind, { projectId: owner?.project?.id ?? null }), name)
  return { row, project: owner?.project }
}

/** A row by name together with its project: a frequent request, so one query reads both. */
async function findInProject(
  ctx: Ctx,
  kind: KindName,
  { name, project }: { name: string; project: string },
): Promise<Found> {
  const values = {
    name,
    project: isUuid(project) ? canonicalUuid(project) : project,
    siloId: ctx.actor.siloId,
  }
  const [found] = await withProject(ctx.tx, values, kind, isUuid(project) ? 'id' : 'name')
  const scope = { id: found?.ownerId ?? '', siloId: found?.ownerSiloId ?? '' }
  if (!found || !seesProject(ctx.actor, scope)) throw fault.notFound('project', project)
  // All of its columns are null for a name that is not there.
  if (found.id == null) throw fault.notFound(typeOf(kind, { projectId: scope.id }), name)
  // The two columns of the project stay in the row: to leave them out would copy it.
  return { row: found, project: scope }
}

/** The scope of a name: the given parent or, for an image without one, the actor's silo. */
async function findOwner(
  ctx: Ctx,
  [kind, parent]: [KindName, KindName],
  fields: Fields,
): Promise<{ id: string; project: ProjectScope | undefined }> {
  const { field } = kinds[parent]
  if (fields[field] != null) {
    const { row, project } = await findRow(ctx, parent, { fields })
    return { id: row.id, project }
  }
  if (kind === 'image') return { id: ctx.actor.siloId, project: undefined }
  throw fault.needsParent(wordOf(kind), field)
}

async function findById(ctx: Ctx, kind: KindName, id: string): Promise<Found> {
  const row = await rowBy(ctx, kind, { id })
  const project = row && (await projectOf(ctx, row))
  const sees = project ? seesProject(ctx.actor, project) : row?.siloId === ctx.actor.siloId
  if (!row || !sees) throw fault.notFound(kinds[kind].type, id)
  return { row, project }
}

async function projectOf(ctx: Ctx, { projectId, siloId }: Row): Promise<ProjectScope | undefined> {
  if (projectId == null) return undefined
  return siloId === undefined ? projectRow(ctx, { id: projectId }) : { id: projectId, siloId }
}

async function findProject(ctx: Ctx, value: string): Promise<Found> {
  const row = await projectRow(ctx, projectIs(ctx, value))
  if (!row || !seesProject(ctx.actor, row)) throw fault.notFound('project', value)
  return { row, project: row }
}

/** The columns that a name or id of a project is found by. */
const projectIs = (ctx: Ctx, value: string): { id: string } | { name: string; siloId: string } =>
  isUuid(value) ? { id: canonicalUuid(value) } : { name: value, siloId: ctx.actor.siloId }

const projectRow = (
  ctx: Ctx,
  where: Partial<Record<'id' | 'name' | 'siloId', string>>,
): Promise<RowOf<'project'> | undefined> => rowBy(ctx, 'project', where)
