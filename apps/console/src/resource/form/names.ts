/** The names behind ids: a page requests all of its names together. */
import { nameList } from '@purlin/contract/operations/lists/search'
import type { Result } from '@purlin/contract/op'
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { namedKinds } from '@purlin/contract/rules/lists'
import { limits } from '@purlin/contract/rules/limits'
import { queryClient, type Read, keyOf } from '#/api/query.ts'
import { nameOf, sendIfThere } from '#/api/send.ts'
import { createSemaphore } from '@purlin/contract/semaphore'
import { argsOf, type Kind, type Named as KindRow, type RowOp, type ViewedKind } from '../kind.ts'
import { kinds } from '../kinds.ts'

type Item = Result<typeof nameList>['items'][number]

/** The known facts of the resource of an id. */
export interface Named {
  id: string
  name: string
  /** The project that it is in, undefined if it is in none; null if it is in one that cannot be read. */
  project: string | null | undefined
}
/** A kind whose names are looked up. */
export type ReferredKind = ViewedKind<RowOp<KindRow>> & Partial<Pick<Kind, 'list'>>

interface Lookup {
  of: ReferredKind
  id: string
  settle: PromiseWithResolvers<Named | null>
}

/** The name of the resource with an id; null if there is none, or none that the user may see. */
export const nameQuery = (of: ReferredKind, id: string): Read<Named | null> => ({
  // Under the key of its list, so that a change of the kind reads its names again.
  queryKey: keyOf<Named | null>(nameOf(of.list ?? of.view), 'name', id),
  queryFn: () => ask(of, id),
})

/** Names rarely change. */
export const nameStaleMs = 60_000

let waiting: Lookup[] = []

function ask(of: ReferredKind, id: string): Promise<Named | null> {
  const settle = Promise.withResolvers<Named | null>()
  waiting.push({ of, id, settle })
  // All that one render asks for goes together.
  if (waiting.length === 1) setTimeout(flush, 0)
  return settle.promise
}

function flush(): void {
  const lookups = waiting
  waiting = []
  for (let at = 0; at < lookups.length; at += limits.names) void answer(lookups.slice(at, at + limits.names))
}

// Another server of the contract has no such operation: it is tried once.
let isMissing = false

async function answer(lookups: readonly Lookup[]): Promise<void> {
  if (isMissing) return each(lookups)
  const id = lookups.map((one) => one.id)
  const kind = namedKinds
    .filter((name) => lookups.some(({ of }) => of.name === name))
    .map((name) => contractKinds[name].type)
  try {
    const found = await sendIfThere(nameList, { query: { id, kind } })
    isMissing = found === undefined
    if (!found) return each(lookups)
    const byId = new Map(found.items.map((item) => [item.id, named(item)]))
    for (const one of lookups) one.settle.resolve(byId.get(one.id) ?? null)
  } catch (error) {
    for (const { settle } of lookups) settle.reject(error)
  }
}

const named = ({ id, name, parents }: Item): Named => ({
  id,
  name,
  project: parents.find(({ type }) => type === contractKinds.project.type)?.name,
})

const limit = createSemaphore({ running: 4 })

/** Views each of them, few at a time. */
const each = (lookups: readonly Lookup[]): void =>
  lookups.forEach(
    ({ of, id, settle }) => void limit(() => viewed(of, id)).then(settle.resolve, settle.reject),
  )

async function viewed(of: ReferredKind, id: string): Promise<Named | null> {
  const row = await viewIfThere(of, id)
  if (!row) return null
  const { name, projectId } = row
  if (!projectId) return { id, name, project: undefined }
  const owner = await queryClient.query({
    queryKey: [nameOf(kinds.project.view), 'name', projectId],
    queryFn: () => viewIfThere(kinds.project, projectId).catch(() => null),
    staleTime: nameStaleMs,
  })
  return { id, name, project: owner?.name ?? null }
}

interface ViewedRow {
  name: string
  projectId?: string | null
}
const viewIfThere = async (of: ReferredKind, nameOrId: string): Promise<ViewedRow | null> =>
  (await sendIfThere(of.view, argsOf(of, of.view, { nameOrId }))) ?? null
