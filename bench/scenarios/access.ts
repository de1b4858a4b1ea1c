/** The cost of permissions: a check with many groups and assignments, and lists of many users. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { limits } from '@purlin/contract/rules/limits'
import { actorFrom, addPrincipalWords, permits } from '@purlin/core/testing/access-model'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { signIn } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '../figures.ts'
import { digits } from '../load.ts'
import { growthOfLists } from './list-growth.ts'
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
    const actor = {
      ...actorFrom(person, groupIds, assignments),
      sessionId: '',
      authMethod: null,
      scope: null,
    }
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

const asked = { 'page of users': '/v1/users?limit=100', 'found user': '/v1/users?limit=50&find=u-0000007' }

/** A page, and what is found for a name, of few users and of many. */
const listTimes = (pace: Pace): Promise<Figure[]> => growthOfLists(pace, { sizes, fill: addUsers, asked })

type Engine = ReturnType<typeof openSqlite>
type Tx = Parameters<Parameters<Engine['transaction']>[1]>[0]

/** A new database with this many users in its first silo. */
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
    return {
      id: randomUUID(),
      siloId,
      ...names,
      passwordHash: null,
      timeDeactivated: null,
      timeCreated: 0,
      timeModified: 0,
    }
  })
  for (const row of rows) await tx.insertInto('siloUser').values(row).execute()
  await addPrincipalWords(tx, rows)
}
