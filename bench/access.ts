/** What permissions cost: a check with many groups and assignments, and lists of many users. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { limits } from '@purlin/contract/rules/limits'
import { actorFrom, addPrincipalWords, permits } from '@purlin/core/testing/access-model'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { newFolder } from '@purlin/server/testing/children'
import { signIn } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from './figures.ts'
import { digits } from './load.ts'
import { startServer } from './servers.ts'

const groups = 200
const sizes = [100, 100_000]
const checksAtOnce = 200
const rowsPerCommit = 5000

export async function accessTimes(pace: Pace): Promise<Figure[]> {
  return [checkTime(pace), ...(await listTimes(pace))]
}

/** Someone in many groups, each of which may have a role on the silo and on a project; both policies are full. */
function checkTime({ rounds }: Pace): Figure {
  const [siloId, projectId] = [randomUUID(), randomUUID()]
  const groupIds = Array.from({ length: groups }, () => randomUUID())
  const places = [
    { resourceType: 'silo', resourceId: siloId },
    { resourceType: 'project', resourceId: projectId },
  ] as const
  const assignments = places.flatMap((place) =>
    groupIds.slice(0, limits.policy.assignments).map(() => ({ ...place, roleName: 'viewer' as const })),
  )
  const person = {
    userId: randomUUID(),
    siloId,
    siloName: 'one',
    displayName: 'x',
    mappedFleetRolesJson: '{}',
  }
  const project = { id: projectId, siloId }
  const check = () => {
    const actor = { ...actorFrom(person, groupIds, assignments), sessionId: '' }
    return permits(actor, ['project.collaborator', 'fleet.admin'], { project })
  }
  const spent: number[] = []
  for (let round = 0; round <= 10 * rounds; round++) {
    const began = performance.now()
    for (let i = 0; i < checksAtOnce; i++) if (check()) throw new Error('permitted by mistake')
    if (round > 0) spent.push((performance.now() - began) / checksAtOnce)
  }
  return { name: 'check of 200 groups and 64 assignments: p50', value: median(spent), unit: 'ms' }
}

const asked = { 'page of users': '?limit=100', 'found user': '?limit=50&find=u-0000007' }

/** A page, and what is found for a name, of few users and of many. */
async function listTimes({ rounds }: Pace): Promise<Figure[]> {
  const folders = sizes.map(() => newFolder())
  try {
    for (const [i, { path }] of folders.entries()) await addUsers(path, sizes[i] ?? 0)
    const servers = await Promise.all(folders.map(({ path }) => startServer({ folder: path })))
    const sources = await Promise.all(
      servers.map(async ({ url }) => ({ url, cookie: (await signIn(url)).cookie })),
    )
    const figures: Figure[] = []
    for (const [name, search] of Object.entries(asked))
      figures.push(...growthOf(name, await timesByTurns(sources, { search, rounds: 40 * rounds })))
    await Promise.all(servers.map((server) => server.stop()))
    return figures
  } finally {
    for (const folder of folders) folder.remove()
  }
}

const growthOf = (name: string, p50: readonly number[]): Figure[] => [
  ...p50.map((value, i) => ({ name: `${name} of ${sizes[i]}: p50`, value, unit: 'ms' as const })),
  { name: `${name}: growth of p50`, value: (p50[1] ?? Infinity) / (p50[0] ?? 1), unit: '×' },
]

type Engine = ReturnType<typeof openSqlite>
type Tx = Parameters<Parameters<Engine['transaction']>[1]>[0]

interface Source {
  url: string
  cookie: string
}

/** The medians in ms of what each server takes for the list, after an answer that is not counted. */
async function timesByTurns(
  sources: readonly Source[],
  { search, rounds }: { search: string; rounds: number },
): Promise<number[]> {
  const times = sources.map(() => [] as number[])
  for (let round = 0; round <= rounds; round++)
    for (const [i, source] of sources.entries()) {
      const spent = await timeOf(source, search)
      if (round > 0) times[i]?.push(spent)
    }
  return times.map((all) => median(all))
}

async function timeOf({ url, cookie }: Source, search: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${url}/v1/users${search}`, { headers: { cookie, 'cache-control': 'no-cache' } })
  await answer.text()
  if (!answer.ok) throw new Error(`${search}: ${answer.status}`)
  return performance.now() - began
}

/** A new database with so many users in its first silo. */
async function addUsers(folder: string, count: number): Promise<void> {
  const server = await startServer({ folder })
  await signIn(server.url)
  await server.stop()
  const engine = openSqlite(join(folder, 'purlin.db'))
  try {
    const { id: siloId } = await engine.transaction('read', (tx) =>
      tx.selectFrom('silo').select('id').executeTakeFirstOrThrow(),
    )
    for (let from = 0; from < count; from += rowsPerCommit)
      await engine.transaction('write', (tx) =>
        addSome(tx, siloId, { from, to: Math.min(count, from + rowsPerCommit) }),
      )
  } finally {
    await engine.close()
  }
}

async function addSome(tx: Tx, siloId: string, { from, to }: { from: number; to: number }): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, i) => {
    const name = `u-${digits(from + i)}`
    const names = { externalId: name, displayName: name }
    return { id: randomUUID(), siloId, ...names, passwordHash: null, timeCreated: 0, timeModified: 0 }
  })
  for (const row of rows) await tx.insertInto('siloUser').values(row).execute()
  await addPrincipalWords(tx, rows)
}
