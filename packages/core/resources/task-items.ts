/** The items of tasks: what is asked for each of them, and which ones a request names. */
import type { ApiRequest } from '@purlin/contract/http'
import { operations, type OperationName } from '@purlin/contract/operations'
import type { OpShape } from '@purlin/contract/op'
import { kinds } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import {
  skipReason,
  taskKinds,
  taskOperation,
  type TaskAction,
  type TaskKind,
} from '@purlin/contract/rules/tasks'
import { snake } from '@purlin/contract/wire'
import { seesProject, type ProjectScope } from '#/auth/access.ts'
import { permit } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, RequestContext } from '#/context.ts'
import { batches } from '#/db/batches.ts'
import { rowsOf } from '#/db/kinds.ts'
import type { TaskItemTable, TaskTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { pagesAt, readPage, type Page } from './list-pages.ts'

/** What is to be done, to which kind. */
export interface Wanted {
  kind: TaskKind
  action: TaskAction
  groupId: string | null
}
export type Planned = Pick<TaskItemTable, 'itemId' | 'name' | 'inProject' | 'state' | 'code' | 'message'>

/** The list whose rows a task can be made for. */
const lists = {
  instance: operations.instanceList,
  disk: operations.diskList,
  snapshot: operations.snapshotList,
  image: operations.imageList,
  floatingIp: operations.floatingIpList,
} as const satisfies Record<TaskKind, OpShape>

const kindOfType = (type: string): TaskKind =>
  taskKinds.find((kind) => kinds[kind].type === type) ?? 'instance'

/** Throws 400 for what is not done to a kind. */
export function wantedOf({ kind: type, action, group }: BodyOf<'taskCreate'>): Wanted {
  const kind = kindOfType(type)
  if (taskOperation(kind, action) === undefined)
    throw fault.invalidValue('action', `\`${action}\` is not done to a ${kinds[kind].noun}`)
  if ((action === 'add_to_group') !== (group != null))
    throw fault.invalidValue('group', 'it is given for `add_to_group` alone, and needed there')
  return { kind, action, groupId: group ?? null }
}

/** `web-20260102-030405`: the snapshots of a task have the time at which it was made. */
function snapshotName(name: string, at: number): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return `${name.slice(0, limits.formats.name - time.length - 1).replace(/-+$/, '')}-${time}`
}

/** The request that a task makes for an item, as the person who made the task. */
export function requestFor(
  task: Pick<TaskTable, 'id' | 'at' | 'remote' | 'kind' | 'action' | 'groupId'>,
  { itemId, name, inProject }: Pick<TaskItemTable, 'itemId' | 'name' | 'inProject'>,
): ApiRequest {
  const kind = task.kind as TaskKind
  const operation = taskOperation(kind, task.action as TaskAction) as OperationName
  const { method, path }: OpShape = operations[operation]
  const values: Record<string, string> = {
    [snake(kinds[kind].field)]: itemId,
    [snake(kinds.antiAffinityGroup.field)]: task.groupId ?? '',
  }
  const url = path.replaceAll(/\{(\w+)\}/g, (_, word: string) => values[word] ?? '')
  const isSnapshot = operation === 'snapshotCreate'
  const body = { name: snapshotName(name, task.at), description: '', disk: itemId }
  return {
    method,
    url: isSnapshot ? `${url}?project=${inProject ?? ''}` : url,
    headers: { 'user-agent': `task ${task.id}` },
    remote: task.remote,
    ...(isSnapshot ? { body: JSON.stringify(body) } : {}),
  }
}

/** The items that a request for a task names, in its order, with those that are left as they are. Throws as the list does. */
export async function plan(ctx: RequestContext, body: BodyOf<'taskCreate'>): Promise<Planned[]> {
  const wanted = wantedOf(body)
  const { ids, query } = body
  if ((ids == null) === (query == null)) throw fault.invalid('either `ids` or `query` must be given')
  return planned(ctx, wanted, [...new Set(ids ?? (await idsOf(ctx, wanted.kind, query ?? '')))])
}

const perRead = 500

/** The same for known ids. */
export async function planned(
  ctx: RequestContext,
  wanted: Wanted,
  ids: readonly string[],
): Promise<Planned[]> {
  const all: Planned[] = []
  for (const some of batches(ids, perRead))
    all.push(...(await ctx.transaction('read', (inner) => planSome(inner, wanted, some))))
  return all
}

interface Row {
  id: string
  name: string
  projectId: string | null
  siloId?: string
  state?: string
  runState?: string
  instanceId?: string | null
}

async function planSome(ctx: Ctx, wanted: Wanted, ids: readonly string[]): Promise<Planned[]> {
  permit(ctx)
  const lower = ids.map((id) => id.toLowerCase())
  const rows = (await rowsOf(ctx.tx, wanted.kind)
    .selectAll()
    .where('id', 'in', lower)
    .execute()) as unknown as Row[]
  const byId = new Map(rows.map((row) => [row.id, row]))
  const projects = await projectsOf(ctx, rows)
  return lower.map((id) => {
    const row = byId.get(id)
    const project = projects.get(row?.projectId ?? '')
    const isSeen = project ? seesProject(ctx.actor, project) : row?.siloId === ctx.actor.siloId
    return row && isSeen ? itemOf(wanted, row) : missing(wanted, id)
  })
}

async function projectsOf({ tx }: Ctx, rows: readonly Row[]): Promise<Map<string, ProjectScope>> {
  const ids = [...new Set(rows.flatMap(({ projectId }) => projectId ?? []))]
  if (ids.length === 0) return new Map()
  const projects = await tx.selectFrom('project').select(['id', 'siloId']).where('id', 'in', ids).execute()
  return new Map(projects.map((one) => [one.id, one]))
}

function itemOf({ kind, action }: Wanted, row: Row): Planned {
  const { id: itemId, name, projectId: inProject, instanceId = null } = row
  const state = kind === 'instance' ? row.runState : row.state
  const reason = skipReason(kind, action, { ...(state === undefined ? {} : { state }), instanceId })
  const item = { itemId, name, inProject, code: null }
  return reason === undefined
    ? { ...item, state: 'pending', message: null }
    : { ...item, state: 'skipped', message: reason }
}

/** What is not there, or not for this person to see. */
const missing = ({ kind }: Wanted, id: string): Planned => ({
  itemId: id,
  name: id,
  inProject: null,
  state: 'skipped',
  code: fault.notFound(kinds[kind].type, id).code ?? null,
  message: 'not found',
})

/** The ids of all that a list shows. Throws as the list does, and 400 for another list or too many. */
async function idsOf(ctx: RequestContext, kind: TaskKind, query: string): Promise<string[]> {
  const { path, pageAt } = pagesAt(query, limits.page.max)
  if (path !== lists[kind].path)
    throw fault.invalidValue('query', `it must begin with \`${lists[kind].path}\``)
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
