/**
 * Name or id → a row that this actor may use. There is no other way for a handler to get the row a
 * request names, and it is here that the operation's `allow` is checked: what the actor may not even
 * read is not found (404), what it may read but not touch is forbidden (403).
 */
import type { Allow, OpShape } from '@purlin/contract/op'
import { isUuid } from '@purlin/contract/rules/names'
import type { Selectable } from 'kysely'
import { permits, type ProjectScope } from './access.ts'
import type { Ctx } from './context.ts'
import type { ProjectTable, Tables } from './db/tables.ts'
import { fault } from './faults.ts'

/** A scoped kind: its table, its word in messages and selectors, and the column that holds its parent. */
interface Kind {
  table: keyof Tables
  /** `{kind}` of error messages */
  label: string
  /** the key that names it in a selector */
  word: string
  /** what messages call it, where that is not `word` */
  noun?: string
  /** what tells its rows apart in a table that kinds share */
  where?: Record<string, string>
  parent: { kind: KindName; column: string } | null
}
const inProject = { kind: 'project', column: 'projectId' } as const

const kinds = {
  project: { table: 'project', label: 'project', word: 'project', parent: null },
  instance: { table: 'instance', label: 'instance', word: 'instance', parent: inProject },
  disk: { table: 'disk', label: 'disk', word: 'disk', parent: inProject },
  snapshot: { table: 'snapshot', label: 'snapshot', word: 'snapshot', parent: inProject },
  vpc: { table: 'vpc', label: 'vpc', word: 'vpc', parent: inProject },
  vpcSubnet: {
    table: 'vpcSubnet',
    label: 'vpc-subnet',
    word: 'subnet',
    parent: { kind: 'vpc', column: 'vpcId' },
  },
  vpcRouter: {
    table: 'vpcRouter',
    label: 'vpc-router',
    word: 'router',
    parent: { kind: 'vpc', column: 'vpcId' },
  },
  networkInterface: {
    table: 'networkInterface',
    label: 'instance-network-interface',
    word: 'interface',
    parent: { kind: 'instance', column: 'instanceId' },
  },
  floatingIp: {
    table: 'externalIp',
    label: 'floating-ip',
    word: 'floatingIp',
    noun: 'floating IP',
    where: { kind: 'floating' },
    parent: inProject,
  },
  affinityGroup: {
    table: 'affinityGroup',
    label: 'affinity-group',
    word: 'affinityGroup',
    noun: 'affinity group',
    where: { kind: 'affinity' },
    parent: inProject,
  },
  antiAffinityGroup: {
    table: 'affinityGroup',
    label: 'anti-affinity-group',
    word: 'antiAffinityGroup',
    noun: 'anti-affinity group',
    where: { kind: 'anti_affinity' },
    parent: inProject,
  },
} as const satisfies Record<string, Kind>

type KindName =
  | 'project'
  | 'instance'
  | 'disk'
  | 'snapshot'
  | 'vpc'
  | 'vpcSubnet'
  | 'vpcRouter'
  | 'networkInterface'
  | 'floatingIp'
  | 'affinityGroup'
  | 'antiAffinityGroup'
type RowOf<K extends KindName> = Selectable<Tables[(typeof kinds)[K]['table']]>

/** Names or ids by selector word, e.g. `{ instance: 'web', project: 'demo' }`. */
export type Selector = Partial<Record<string, string | null | undefined>>

/** Finds the row of `kind` that the selector names. Throws 400, 403, 404 faults. */
export async function resolve<K extends KindName>(ctx: Ctx, kind: K, selector: Selector): Promise<RowOf<K>> {
  const { row, project } = await find(ctx, kind, selector)
  check(ctx, ctx.op.allow, project)
  return row as RowOf<K>
}

/** The same for a row that is only read on the way to another one: reading it is all that is checked. */
export async function resolveToRead<K extends KindName>(
  ctx: Ctx,
  kind: K,
  selector: Selector,
): Promise<RowOf<K>> {
  return (await find(ctx, kind, selector)).row as RowOf<K>
}

/** The row of a name or id given in a body: an id stands alone, a name belongs to the given project. */
export function resolveIn<K extends KindName>(
  ctx: Ctx,
  kind: K,
  ref: { value: string; parent: Selector },
): Promise<RowOf<K>> {
  const selector = { [kinds[kind].word]: ref.value, ...(isUuid(ref.value) ? {} : ref.parent) }
  return resolve(ctx, kind, selector)
}

/** Checks the operation's `allow` on nothing but the silo or the fleet. Throws 403. */
export function permit(ctx: Ctx, allow: OpShape['allow'] = ctx.op.allow): void {
  check(ctx, allow, undefined)
}

function check(ctx: Ctx, allow: OpShape['allow'], project: ProjectScope | undefined): void {
  if (!permits(ctx.actor, allow, project)) throw fault.forbidden()
  ctx.checked = true
}

interface Found {
  row: { id: string }
  project: ProjectTable
}

async function find(ctx: Ctx, name: KindName, selector: Selector): Promise<Found> {
  const kind: Kind = kinds[name]
  const value = selector[kind.word]
  const parents = ancestors(kind)
  const given = parents.filter((word) => selector[word] !== undefined && selector[word] !== null)
  if (value === undefined || value === null) throw fault.badQuery(`missing field \`${kind.word}\``)
  if (kind.parent === null) return findProject(ctx, value)
  if (isUuid(value)) {
    if (given.length) throw fault.parentWithId(kind.noun ?? kind.word, parents)
    return findById(ctx, kind, value.toLowerCase())
  }
  if (selector[kinds[kind.parent.kind].word] == null)
    throw fault.needsParent(kind.noun ?? kind.word, kinds[kind.parent.kind].word)
  const parent = await find(ctx, kind.parent.kind, selector)
  const row = await rowBy(ctx, kind, { [kind.parent.column]: parent.row.id, name: value })
  if (!row) throw fault.notFound(kind.label, value)
  return { row, project: parent.project }
}

function ancestors(kind: Kind): string[] {
  if (!kind.parent) return []
  const parent = kinds[kind.parent.kind]
  return [parent.word, ...ancestors(parent)]
}

async function findById(ctx: Ctx, kind: Kind, id: string): Promise<Found> {
  const row = await rowBy(ctx, kind, { id })
  const project = row ? await projectRow(ctx, { id: row.projectId }) : undefined
  if (!row || !project || !permits(ctx.actor, readProject, project)) throw fault.notFound(kind.label, id)
  return { row, project }
}

const readProject: Allow = 'project.viewer'

async function findProject(ctx: Ctx, value: string): Promise<Found> {
  const row = await projectRow(
    ctx,
    isUuid(value) ? { id: value.toLowerCase() } : { name: value, siloId: ctx.actor.siloId },
  )
  if (!row || !permits(ctx.actor, readProject, row)) throw fault.notFound('project', value)
  return { row, project: row }
}

async function projectRow(
  ctx: Ctx,
  where: Partial<Record<'id' | 'name' | 'siloId', string>>,
): Promise<ProjectTable | undefined> {
  let query = ctx.tx.selectFrom('project').selectAll()
  for (const [column, value] of Object.entries(where)) query = query.where(column as 'id', '=', value)
  return query.executeTakeFirst()
}

async function rowBy(
  ctx: Ctx,
  kind: Kind,
  where: Record<string, string>,
): Promise<{ id: string; projectId: string } | undefined> {
  // Every kind but a project has these columns; the builder cannot know that of a table in a variable.
  let query = ctx.tx.selectFrom(kind.table as 'instance').selectAll()
  for (const [column, value] of Object.entries({ ...where, ...kind.where }))
    query = query.where(column as 'id', '=', value)
  return query.executeTakeFirst()
}
