/** The search over everything that a person may list. */
import { listOf } from '@purlin/contract/operations'
import type { OpShape } from '@purlin/contract/op'
import { formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import { kinds, typeOf } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { searchedKinds, serialKinds, type SearchedKind, type SerialKind } from '@purlin/contract/rules/lists'
import { snake } from '@purlin/contract/wire'
import { hasFleetRole, may, permits, wordsInSilo, wordsOf, type ProjectScope } from '#/auth/access.ts'
import { outsideOf } from '#/auth/credential-scope.ts'
import { permit } from '#/auth/resolve.ts'
import { poolsOfSilo } from '#/auth/visible.ts'
import type { Actor, Ctx, Family } from '#/context.ts'
import { kindRows, rowsOf } from '#/db/kinds.ts'
import type { listed } from '#/db/lists/listed.ts'
import { tagsIn } from '#/db/rows/tags.ts'
import { principalsFound } from '#/db/rows/principals.ts'
import {
  candidatesEverywhere,
  type Candidate,
  type IndexedKind,
  type Scopes,
} from '#/db/lists/search-index.ts'
import { isFound, readFind, textColumns, type Find } from '#/db/lists/search-text.ts'
import { parseMac } from '#/network/mac.ts'
import { above, type Parent } from './look-up.ts'

export interface Row {
  id: string
  name: string
  projectId?: string | null
  siloId?: string
  siloUserId?: string
}
/** A row that may be a result. `address` is the address that matched, if it is not part of the row. */
interface Hit {
  kind: SearchedKind | SerialKind
  row: Row
  field: string
  text: string
}

// Candidates for each way of looking; a row of them that may not be seen is left out.
const mostCandidates = 100
/** After every letter of a serial number. */
const lastLetter = '\u{ffff}'
// The resources that a user has roles on, individually.
const mostProjects = 1000

export const search: Family<'search'> = {
  async search(ctx, { query }) {
    permit(ctx)
    const find = readFind(query.q)
    if (!find) return { items: [] }
    const isSearched = (kind: Hit['kind']) =>
      (!query.kind || query.kind.includes(kinds[kind].type)) &&
      outsideOf(ctx.actor.scope, listOf(kind)) === null
    const searched = searchedKinds.filter(isSearched)
    const hits: Hit[] = [
      ...(await rowsFound(ctx, find, searched)),
      ...(searched.includes('instance') ? await instancesAt(ctx, query.q.trim(), find) : []),
      ...(await principals(ctx, query.q, searched)),
      ...(await hardwareFound(ctx, query.q, serialKinds.filter(isSearched))),
    ]
    const best = inOrder(hits, query.q).slice(0, query.limit ?? limits.search.default)
    const known = new Map<string, Parent[]>()
    const items = []
    for (const { kind, row, field, text } of best)
      items.push({
        type: typeOf(kind, { projectId: row.projectId ?? null }),
        id: row.id,
        name: row.name,
        parents: await above(ctx, [kind, row], known),
        field,
        text: text.slice(0, limits.search.text),
      })
    return { items }
  },
}

/** The rows with words, and the field of each that has them. */
async function rowsFound(ctx: Ctx, find: Find, searched: readonly SearchedKind[]): Promise<Hit[]> {
  const indexed = searched.filter((kind): kind is IndexedKind => kind !== 'siloUser' && kind !== 'siloGroup')
  const candidates = await candidatesEverywhere(ctx, find, {
    scopes: scopesOf(ctx.actor),
    kinds: indexed,
    most: mostCandidates,
  })
  if (indexed.includes('ipPool')) candidates.push(...(await linkedPools(ctx)))
  const hits: Hit[] = []
  for (const kind of indexed) {
    const ids = candidates.filter((one) => one.kind === kind).map(({ id }) => id)
    for (const row of await rowsBy(ctx, kind, ids)) {
      const at = foundAt(find, kind, row)
      if (at) hits.push({ kind, row, ...at })
    }
  }
  return seen(ctx, hits)
}

const ofFleet = ['silo', 'ipPool', 'machineSize'] as const

/** The scopes of an actor. The permission of each list checks the results again. */
function scopesOf(actor: Actor): Scopes {
  const { siloId, userId } = actor
  const seesAll = permits(actor, listOf('instance').allow, { project: { id: '', siloId } })
  const sees = (list: OpShape) => permits(actor, list.allow)
  return {
    siloId: seesAll ? siloId : undefined,
    projectIds: seesAll ? [] : [...actor.projectRoles.keys()].slice(0, mostProjects),
    lists: [
      { table: 'sshKey', holder: userId },
      { table: 'image', holder: siloId },
      ...ofFleet.filter((kind) => sees(listOf(kind))).map((table) => ({ table, holder: '' })),
    ],
  }
}

/** The pools that the silo may use. */
async function linkedPools({ tx, actor }: Ctx): Promise<Candidate[]> {
  const pools = await poolsOfSilo(tx, actor.siloId)
    .clearSelect()
    .select('ipPool.id')
    .limit(mostCandidates)
    .execute()
  return pools.map(({ id }) => ({ id, kind: 'ipPool' as const }))
}

/** Columns that say whose a row is. */
const owners = (kind: IndexedKind): string[] => {
  const { parent } = kindRows[kind]
  const isInProject = kind !== 'project' && kind !== 'image' && listOf(kind).allow === 'project.viewer'
  return [
    ...(parent === null ? [] : [parent]),
    ...(isInProject ? ['projectId'] : []),
    ...(kind === 'image' ? ['projectId', 'siloId'] : []),
    ...(kind === 'sshKey' ? ['siloUserId'] : []),
  ]
}

/** The rows with these ids, with their owners and the texts that matched. */
export async function rowsBy(ctx: Ctx, kind: IndexedKind, ids: readonly string[]): Promise<Row[]> {
  if (ids.length === 0) return []
  const { table } = kindRows[kind]
  const columns = new Set(['id', ...textColumns(table), ...owners(kind)])
  // The builder cannot know the columns of a table in a variable.
  const rows = await rowsOf(ctx.tx, kind)
    .select([...columns] as (typeof listed.disk)[number][])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return rows
}

/** Columns that are shown in other words. */
const shownAs: Partial<Record<string, { field: string; textOf: (value: string) => string }>> = {
  ipKey: { field: 'address', textOf: (key) => formatIp(fromKey(key)) },
  tagsJson: {
    field: 'tags',
    textOf: (json) =>
      Object.entries(tagsIn(json))
        .map((tag) => tag.join('='))
        .join(', '),
  },
}

/** The first text of a row that has all words, or the name if they are in several. */
function foundAt(find: Find, kind: IndexedKind, row: Row): Pick<Hit, 'field' | 'text'> | undefined {
  const { table } = kindRows[kind]
  const values = row as object as Record<string, string | null>
  if (!isFound(find, table, { ...row })) return undefined
  for (const column of textColumns(table))
    if (isFound(find, table, { [column]: values[column] })) {
      const text = values[column] ?? ''
      const { field = snake(column), textOf } = shownAs[column] ?? {}
      return { field, text: textOf ? textOf(text) : text }
    }
  const isById = isFound(find, table, { id: row.id })
  return isById ? { field: 'id', text: row.id } : { field: 'name', text: row.name }
}

/** The rows whose lists the actor may read. */
export async function seen<H extends Pick<Hit, 'kind' | 'row'>>(ctx: Ctx, hits: readonly H[]): Promise<H[]> {
  const ids = new Set(hits.map(({ row }) => row.projectId).filter((id) => id != null))
  const projects =
    ids.size === 0
      ? []
      : await ctx.tx
          .selectFrom('project')
          .select(['id', 'siloId'])
          .where('id', 'in', [...ids])
          .execute()
  const scopes = new Map(projects.map((one) => [one.id, one]))
  return hits.filter((hit) => mayRead(ctx.actor, hit, scopes))
}

function mayRead(
  actor: Actor,
  { kind, row }: Pick<Hit, 'kind' | 'row'>,
  projects: ReadonlyMap<string, ProjectScope>,
): boolean {
  const list: OpShape = listOf(kind)
  if (!hasFleetRole(actor, list)) return false
  if (kind === 'project')
    return may(actor, ['project.viewer'], { project: { id: row.id, siloId: row.siloId ?? '' } })
  if (row.projectId != null) {
    const project = projects.get(row.projectId)
    return project !== undefined && may(actor, wordsOf(list.allow), { project })
  }
  if (kind === 'image') return row.siloId === actor.siloId && permits(actor, wordsInSilo(list))
  if (kind === 'sshKey') return row.siloUserId === actor.userId && permits(actor, list.allow)
  // Users of a silo see the pools that are linked to it.
  return kind === 'ipPool' || permits(actor, list.allow)
}

/** Instances by an address of theirs or its beginning, or by the whole MAC address of an interface. */
async function instancesAt(ctx: Ctx, text: string, find: Find): Promise<Hit[]> {
  const ranges = find.length === 1 ? (find[0]?.addresses ?? []) : []
  const mac = parseMac(text)
  if (ranges.length === 0 && mac === undefined) return []
  const { actor, tx } = ctx
  const { siloId, projectIds } = scopesOf(actor)
  const own = (table: 'networkInterface' | 'externalIp') => {
    const rows = tx
      .selectFrom(table)
      .innerJoin('instance', 'instance.id', `${table}.instanceId`)
      .select(['instance.id', 'instance.name', 'instance.projectId', `${table}.ipKey`])
      .where('instance.siloId', '=', actor.siloId)
      .limit(mostCandidates)
    return siloId === undefined ? rows.where('instance.projectId', 'in', projectIds) : rows
  }
  if (siloId === undefined && projectIds.length === 0) return []
  const found: (Row & { ipKey: string })[] = []
  if (mac !== undefined)
    found.push(...(await own('networkInterface').where('networkInterface.mac', '=', mac).execute()))
  else
    for (const table of ['networkInterface', 'externalIp'] as const) {
      const column = `${table}.ipKey` as const
      for (const [first, last] of ranges)
        found.push(...(await own(table).where(column, '>=', first).where(column, '<=', last).execute()))
    }
  const shown = (ipKey: string) =>
    mac === undefined
      ? { field: 'address', text: formatIp(fromKey(ipKey)) }
      : { field: 'mac', text: text.toUpperCase() }
  return seen(
    ctx,
    found.map(({ ipKey, ...row }) => ({ kind: 'instance' as const, row, ...shown(ipKey) })),
  )
}

/** Users and groups of the silo, by their names. */
async function principals(ctx: Ctx, text: string, searched: readonly SearchedKind[]): Promise<Hit[]> {
  const { actor, tx } = ctx
  const hits: Hit[] = []
  for (const kind of ['siloUser', 'siloGroup'] as const) {
    if (!searched.includes(kind) || !permits(actor, listOf(kind).allow)) continue
    const rows = await tx
      .selectFrom(kind)
      .select(['id', 'displayName'])
      .where('id', 'in', principalsFound(tx, actor.siloId, text).limit(mostCandidates))
      .execute()
    for (const { id, displayName } of rows)
      hits.push({ kind, row: { id, name: displayName }, field: 'name', text: displayName })
  }
  return hits
}

/** Hardware whose serial number begins with a text. It is the name that people know. */
async function hardwareFound(
  { actor, tx }: Ctx,
  text: string,
  searched: readonly SerialKind[],
): Promise<Hit[]> {
  const typed = text.trim()
  const spellings = [...new Set([typed, typed.toUpperCase(), typed.toLowerCase()])]
  const hits: Hit[] = []
  for (const kind of searched) {
    if (!permits(actor, listOf(kind).allow)) continue
    const rows = await tx
      .selectFrom(kind)
      .select(['id', 'serial'])
      .where((eb) =>
        eb.or(
          spellings.map((one) => eb.and([eb('serial', '>=', one), eb('serial', '<', `${one}${lastLetter}`)])),
        ),
      )
      .orderBy('serial')
      .limit(mostCandidates)
      .execute()
    for (const { id, serial } of rows)
      hits.push({ kind, row: { id, name: serial }, field: 'serial', text: serial })
  }
  return hits
}

/** Each row once: by the name itself, its beginning, another field, and then as the kinds are ordered. */
function inOrder(hits: readonly Hit[], text: string): Hit[] {
  const q = text.trim().toLowerCase()
  const rank = ({ row, field }: Hit) => {
    const name = row.name.toLowerCase()
    if (name === q || row.id === q) return 0
    if (field === 'address' || field === 'mac') return 1
    if (name.startsWith(q)) return 2
    return field === 'name' ? 3 : 4
  }
  const each = new Map<string, Hit>()
  for (const hit of hits) if (!each.has(hit.row.id)) each.set(hit.row.id, hit)
  const kindsInOrder: readonly Hit['kind'][] = [...searchedKinds, ...serialKinds]
  const key = (hit: Hit) => [rank(hit), kindsInOrder.indexOf(hit.kind)] as const
  return [...each.values()].toSorted((a, b) => {
    const [[rankA, kindA], [rankB, kindB]] = [key(a), key(b)]
    return rankA - rankB || kindA - kindB || (a.row.name < b.row.name ? -1 : 1)
  })
}
