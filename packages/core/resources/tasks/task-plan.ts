/** Which items a request for a task names, and which of them would be left as they are. */
import { listOf } from '@purlin/contract/operations'
import { kinds } from '@purlin/contract/rules/kinds'
import { isOneOf } from '@purlin/contract/rules/keys'
import { diskAnswer, instanceStates as runStates, isTransitional } from '@purlin/contract/rules/states'
import { limits } from '@purlin/contract/rules/limits'
import { quoted } from '@purlin/contract/rules/messages'
import {
  disksDeletedBy,
  isOwnBootDisk,
  longActions,
  skipReason,
  targetKindOf,
  type TargetKind,
  type TaskKind,
} from '@purlin/contract/rules/tasks'
import { hasFleetRole, permits, seesProject, type ProjectScope } from '#/auth/access.ts'
import { permit } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, RequestContext } from '#/context.ts'
import { batches } from '#/db/batches.ts'
import { rowsOf, type RowOf } from '#/db/kinds.ts'
import { wireKeys } from '#/db/lists/page-token.ts'
import { fault } from '#/faults.ts'
import { parseSearch } from '#/query-string.ts'
import { pagesAt, readPage, type Page } from '../lists/list-pages.ts'
import { attachedTo } from '../storage/disks.ts'
import { planContents } from './plan-contents.ts'
import { snapshotNameFor, specOf, wholeNameFor, type Planned, type TaskSpec } from './task-items.ts'

/**
 * The items of a request for a task, in its order. With `waits`, instances on their way to another state are not left as they
 * are. Throws as the list does.
 */
export async function plan(
  request: RequestContext,
  body: BodyOf<'taskCreate'>,
  { waits = false }: { waits?: boolean } = {},
): Promise<{ spec: TaskSpec; items: Planned[] }> {
  const spec = specOf(body)
  const { ids, query } = body
  if ((ids == null) === (query == null)) throw fault.invalid('either `ids` or `query` must be given')
  const named = [...new Set(ids ?? (await idsOf(request, spec.kind, query ?? '')))]
  if (spec.action === 'delete_all') return { spec, items: await planContents(request, named) }
  if (spec.kind === 'instance' && spec.action === 'snapshot') return ofTheirDisks(request, spec, named)
  return { spec, items: await plannedAll(request, { spec, waits }, named) }
}

const perRead = 500

/** The same for known ids. */
export const planned = (
  request: RequestContext,
  spec: TaskSpec,
  ids: readonly string[],
): Promise<Planned[]> => plannedAll(request, { spec, waits: false }, ids)

async function plannedAll(
  request: RequestContext,
  { spec, waits }: Pick<Surroundings, 'spec' | 'waits'>,
  ids: readonly string[],
): Promise<Planned[]> {
  const target = await request.transaction('read', (ctx) => targetOf(ctx, spec))
  const all: Planned[] = []
  for (const some of batches(ids, perRead))
    all.push(...(await request.transaction('read', (ctx) => planSome(ctx, { spec, target, waits }, some))))
  return target ? withinRoom(all, target) : all
}

/** The group, instance or project that a task adds to. */
interface Target {
  kind: TargetKind
  projectId: string
  /** Its instances, disks or images. */
  members: ReadonlySet<string>
  /** Of an instance. */
  runState: string | undefined
}
interface TargetRules {
  already: string
  /** None if items come from elsewhere. */
  elsewhere?: string
  room: number
  beyond: string
}
const ofGroup: TargetRules = {
  already: 'in the group already',
  elsewhere: 'in another project than the group',
  room: limits.affinity.members,
  beyond: `beyond the ${limits.affinity.members} members that a group can have`,
}
const targets: Readonly<Record<TargetKind, TargetRules>> = {
  affinityGroup: ofGroup,
  antiAffinityGroup: ofGroup,
  instance: {
    already: 'attached to the instance already',
    elsewhere: 'in another project than the instance',
    room: limits.instance.disks,
    beyond: `beyond the ${limits.instance.disks} disks that an instance can have`,
  },
  project: {
    already: 'in the project already',
    room: kinds.image.counts.project,
    beyond: `beyond the ${kinds.image.counts.project} images that a project can have`,
  },
}

async function targetOf(ctx: Ctx, { action, groupId }: TaskSpec): Promise<Target | undefined> {
  permit(ctx, 'user')
  const kind = targetKindOf(action)
  if (kind === undefined || groupId === null) return undefined
  const row: { projectId: string; runState?: string } | undefined =
    kind === 'project'
      ? { projectId: groupId }
      : await rowsOf(ctx.tx, kind).selectAll().where('id', '=', groupId).executeTakeFirst()
  const project = row && (await projectsOf(ctx, [row])).get(row.projectId)
  if (!project || !seesProject(ctx.actor, project)) throw fault.notFound(kinds[kind].type, groupId)
  const members = await membersOf(ctx, kind, groupId)
  return { kind, projectId: project.id, members: new Set(members), runState: row.runState }
}

async function membersOf({ tx }: Ctx, kind: TargetKind, id: string): Promise<string[]> {
  if (kind === 'instance') return (await attachedTo(tx, [id])).map((disk) => disk.id)
  if (kind === 'project') {
    const images = await tx.selectFrom('image').select('id').where('projectId', '=', id).execute()
    return images.map((image) => image.id)
  }
  const rows = await tx.selectFrom('affinityMember').select('instanceId').where('groupId', '=', id).execute()
  return rows.map(({ instanceId }) => instanceId)
}

const byName = (a: Planned, b: Planned) => (a.name < b.name ? -1 : Number(a.name > b.name))

/** Items beyond what the target can have are skipped. Disks are attached in the order of their names. */
function withinRoom(items: readonly Planned[], { kind, members }: Target): Planned[] {
  const { room, beyond } = targets[kind]
  let left = room - members.size
  return (kind === 'instance' ? items.toSorted(byName) : items).map((item) =>
    item.state === 'pending' && left-- <= 0 ? { ...item, state: 'skipped', message: beyond } : item,
  )
}

/** A task for instances that is one of their disks. Those without a disk are left as they are. */
async function ofTheirDisks(request: RequestContext, given: TaskSpec, ids: readonly string[]) {
  const spec: TaskSpec = { ...given, kind: 'disk' }
  const items: Planned[] = []
  for (const some of batches(await planned(request, given, ids), perRead)) {
    const disks = await request.transaction('read', (ctx) => disksOf(ctx, some))
    const byId = new Map(
      (
        await planned(
          request,
          spec,
          disks.map(({ id }) => id),
        )
      ).map((one) => [one.itemId, one]),
    )
    for (const instance of some) {
      const own = disks.filter(({ instanceId }) => instanceId === instance.itemId)
      if (instance.state === 'skipped') items.push(instance)
      else if (own.length === 0) items.push({ ...instance, state: 'skipped', message: withoutDisk })
      else items.push(...own.flatMap(({ id }) => byId.get(id) ?? []))
    }
    if (items.length > limits.task.items)
      throw fault.invalid(`the instances have more than ${limits.task.items} disks`)
  }
  return { spec, items }
}

async function disksOf(ctx: Ctx, instances: readonly Planned[]) {
  permit(ctx, 'user')
  return attachedTo(
    ctx.tx,
    instances.map(({ itemId }) => itemId),
  )
}

interface Row {
  id: string
  name: string
  projectId: string | null
  siloId?: string
  state?: string
  runState?: string
  instanceId?: string | null
  isProtected?: number | null
  bootDiskId?: string | null
  /** Null for a schedule that is paused. */
  timeDue?: number | null
  timeCreated?: number
}
/** The further facts that decide about some rows. */
interface Surroundings {
  spec: TaskSpec
  target: Target | undefined
  /** Whether instances on their way to another state are waited for. */
  waits: boolean
  /** The instances that disks or floating IPs are to be detached from. */
  holders: ReadonlyMap<string, Pick<RowOf<'instance'>, 'runState' | 'bootDiskId'>>
  /** Project and name of the snapshots that have a name already that one of the task would get. */
  taken: ReadonlySet<string>
  /** Why no snapshot can be taken of some of the instances. */
  obstacles: ReadonlyMap<string, string>
  /** The disks that would be deleted with each instance. */
  deleted: ReadonlyMap<string | null, readonly RowOf<'disk'>[]>
  now: number
}

async function planSome(
  ctx: Ctx,
  { spec, target, waits }: Pick<Surroundings, 'spec' | 'target' | 'waits'>,
  ids: readonly string[],
): Promise<Planned[]> {
  permit(ctx, 'user')
  const lower = ids.map((id) => id.toLowerCase())
  const rows = await rowsOf(ctx.tx, spec.kind).selectAll().where('id', 'in', lower).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const projects = await projectsOf(ctx, rows)
  const around: Surroundings = {
    spec,
    target,
    waits,
    now: ctx.now,
    holders: await holdersOf(ctx, spec, rows),
    taken: await takenNames(ctx, spec, rows),
    obstacles: await obstaclesToSnapshots(ctx, spec, rows),
    deleted: await disksDeletedWith(ctx, spec, rows),
  }
  const isListed = hasFleetRole(ctx.actor, listOf(spec.kind))
  return lower.map((id) => {
    const row = byId.get(id)
    const inProject = projects.get(row?.projectId ?? '')
    const project = row && spec.kind === 'project' ? { id: row.id, siloId: row.siloId } : inProject
    const isOwn = project ? seesProject(ctx.actor, project) : row?.siloId === ctx.actor.siloId
    const isSeen = isOwn || (longActions.includes(spec.action) && permits(ctx.actor, 'fleet.admin'))
    return row && isSeen && isListed ? itemOf(around, row) : missing(spec, id)
  })
}

async function projectsOf(
  { tx }: Pick<Ctx, 'tx'>,
  rows: readonly Pick<Row, 'projectId'>[],
): Promise<Map<string, ProjectScope>> {
  const ids = [...new Set(rows.flatMap(({ projectId }) => projectId ?? []))]
  if (ids.length === 0) return new Map()
  const projects = await tx.selectFrom('project').select(['id', 'siloId']).where('id', 'in', ids).execute()
  return new Map(projects.map((one) => [one.id, one]))
}

async function holdersOf(
  { tx }: Ctx,
  { action }: TaskSpec,
  rows: readonly Row[],
): Promise<Surroundings['holders']> {
  const ids = action === 'detach' ? [...new Set(rows.flatMap((row) => row.instanceId ?? []))] : []
  if (ids.length === 0) return new Map()
  const found = await tx
    .selectFrom('instance')
    .select(['id', 'runState', 'bootDiskId'])
    .where('id', 'in', ids)
    .execute()
  return new Map(found.map(({ id, ...holder }) => [id, holder]))
}

async function disksDeletedWith(
  { tx }: Ctx,
  { action }: TaskSpec,
  rows: readonly Row[],
): Promise<Surroundings['deleted']> {
  const which = disksDeletedBy(action)
  if (which === undefined) return new Map()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const isDeleted = (disk: RowOf<'disk'>) => {
    const { bootDiskId, timeCreated = 0 } = byId.get(disk.instanceId ?? '') ?? {}
    return which === 'all' || isOwnBootDisk({ bootDiskId, timeCreated }, disk)
  }
  const disks = await attachedTo(tx, [...byId.keys()])
  return Map.groupBy(disks.filter(isDeleted), ({ instanceId }) => instanceId)
}

const withoutDisk = 'without a disk'
const nameTaken = 'with a snapshot of that name already'
const nameIn = (projectId: string | null, name: string) => `${projectId}/${name}`

async function takenNames({ tx, now }: Ctx, spec: TaskSpec, rows: readonly Row[]): Promise<Set<string>> {
  if (spec.kind !== 'disk' || spec.namePattern === null || rows.length === 0) return new Set()
  const projects = new Set(rows.flatMap(({ projectId }) => projectId ?? []))
  const found = await tx
    .selectFrom('snapshot')
    .select(['projectId', 'name'])
    .where('projectId', 'in', [...projects])
    .where('name', 'in', [...new Set(rows.map(({ name }) => snapshotNameFor(spec, name, now)))])
    .execute()
  return new Set(found.map(({ projectId, name }) => nameIn(projectId, name)))
}

async function obstaclesToSnapshots(
  { tx, now }: Ctx,
  spec: TaskSpec,
  rows: readonly Row[],
): Promise<Map<string, string>> {
  if (spec.action !== 'snapshot_together' || rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const disks = Map.groupBy(await attachedTo(tx, ids), ({ instanceId }) => instanceId)
  const taken = await tx
    .selectFrom('instanceSnapshot')
    .select('instanceId')
    .where('instanceId', 'in', ids)
    .where('name', '=', wholeNameFor(spec, now))
    .execute()
  const obstacles = new Map<string, string>()
  for (const id of ids) {
    const own = disks.get(id) ?? []
    const away = own.find(({ state }) => diskAnswer('snapshot', state) === 'refuse')
    if (away) obstacles.set(id, `with a disk that is ${away.state.replaceAll('_', ' ')}`)
    else if (own.length === 0) obstacles.set(id, withoutDisk)
  }
  for (const { instanceId } of taken) obstacles.set(instanceId, nameTaken)
  return obstacles
}

function itemOf(around: Surroundings, row: Row): Planned {
  const { id: itemId, name, projectId: inProject } = row
  const reason = reasonFor(around, row)
  const diskIds = around.deleted.get(itemId)?.map(({ id }) => id) ?? []
  const item = { itemId, name, inProject, code: null, diskIds }
  return reason === undefined
    ? { ...item, state: 'pending', message: null }
    : { ...item, state: 'skipped', message: reason }
}

const isMoving = (state = ''): boolean => isOneOf(runStates, state) && isTransitional(state)

function reasonFor(around: Surroundings, row: Row): string | undefined {
  const { spec, target, holders, taken, deleted, now } = around
  const { kind, action } = spec
  const { id, name, projectId, instanceId = null, runState, state = runState } = row
  const isProtected = row.isProtected === 1
  const rules = target && targets[target.kind]
  if (rules?.elsewhere !== undefined && projectId !== target?.projectId) return rules.elsewhere
  if (target?.members.has(id)) return rules?.already
  const { runState: instanceState = target?.runState, bootDiskId } = holders.get(instanceId ?? '') ?? {}
  const isBootDisk = bootDiskId === id
  const hasProtectedDisk = deleted.get(id)?.some((disk) => disk.isProtected === 1) ?? false
  if (around.waits && isMoving(runState)) return undefined
  const isPaused = row.timeDue === null
  const facts = {
    state,
    instanceId,
    instanceState,
    isBootDisk,
    isProtected,
    hasProtectedDisk,
    isPaused,
    isOfSilo: projectId === null,
  }
  const reason = skipReason(kind, action, facts) ?? around.obstacles.get(id)
  if (reason !== undefined || taken.size === 0) return reason
  const isTaken = taken.has(nameIn(projectId, snapshotNameFor(spec, name, now)))
  return isTaken ? nameTaken : undefined
}

/** A resource that does not exist, or that this user may not see. */
const missing = ({ kind }: TaskSpec, id: string): Planned => ({
  itemId: id,
  name: id,
  inProject: null,
  state: 'skipped',
  code: fault.notFound(kinds[kind].type, id).code ?? null,
  message: 'not found',
})

/**
 * The ids of all that a list shows. Throws as the list does, and 400 for another list, too many, and for parameters that would not
 * restrict it: lists ignore those that they do not know.
 */
async function idsOf(ctx: RequestContext, kind: TaskKind, query: string): Promise<string[]> {
  const list = listOf(kind)
  const { path, search, pageAt } = pagesAt(query, limits.page.max)
  if (path !== list.path) throw fault.invalidValue('query', `it must begin with \`${list.path}\``)
  const known = wireKeys(list)
  for (const key of parseSearch(search).keys()) {
    if (!known.includes(key)) throw fault.invalidValue('query', `this list has no parameter "${quoted(key)}"`)
    if (key === 'page_token')
      throw fault.invalidValue('query', 'it must be the whole list, without a page token')
  }
  const ids: string[] = []
  let next: string | null = null
  do {
    const page: Page<{ id: string }> = await readPage(ctx, pageAt(next))
    ids.push(...page.items.map(({ id }) => id))
    if (ids.length > limits.task.items)
      throw fault.invalidValue('query', `it matches more than ${limits.task.items} items`)
    next = page.next_page ?? null
  } while (next !== null)
  return ids
}
