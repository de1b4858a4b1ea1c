/** How soon an operator sees 32 sleds with 1000 instances, and how long the plan to empty one of them takes. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { newFolder } from '@purlin/server/testing/children'
import { ask, signIn } from '@purlin/server/testing/requests'
import { buildConsole } from '@purlin/tools/building/build'
import { arrive, launch, visited } from '../browser.ts'
import { median, type Figure, type Pace } from '#/figures.ts'
import { instanceName, project, seed } from '#/seed.ts'
import { startServer } from '../servers.ts'

const instances = 1000
const sleds = 32
const moved = 200
const groups = 10

export async function hardwareFigures(pace: Pace): Promise<Figure[]> {
  await buildConsole('production')
  const folder = newFolder()
  try {
    await seed({ folder: folder.path }, instances)
    const sledId = await fill(folder.path)
    return await figuresIn(folder.path, sledId, Math.max(5, pace.rounds))
  } finally {
    folder.remove()
  }
}

/** Adds sleds like the first one, with disks, and spreads the instances. Returns the sled with the most of them. */
async function fill(folder: string): Promise<string> {
  const engine = openSqlite(join(folder, 'purlin.db'))
  try {
    return await engine.transaction('write', async (tx) => {
      const known = await tx.selectFrom('sled').selectAll().orderBy('id').execute()
      const disks = await tx.selectFrom('physicalDisk').selectAll().execute()
      const [first] = known
      if (!first) throw new Error('the server has no sled')
      const added = Array.from({ length: sleds - known.length }, (_, i) => ({
        ...first,
        id: randomUUID(),
        serial: `BENCH${i}`,
      }))
      for (const sled of added) {
        await tx.insertInto('sled').values(sled).execute()
        const copies = disks
          .filter(({ sledId }) => sledId === first.id)
          .map((disk) => ({ ...disk, id: randomUUID(), sledId: sled.id }))
        await tx.insertInto('physicalDisk').values(copies).execute()
      }
      const all = [...known, ...added].map(({ id }) => id)
      const rows = await tx.selectFrom('instance').select(['id', 'projectId']).orderBy('name').execute()
      for (const [i, { id }] of rows.entries()) {
        const sledId = i < moved ? first.id : (all[1 + (i % (all.length - 1))] ?? first.id)
        // Its time to be checked never comes, because no sled has the machine.
        await tx
          .updateTable('instance')
          .set({ sledId, runState: 'running', desired: 'running', ncpus: 1, dueAt: null })
          .where('id', '=', id)
          .execute()
      }
      for (let g = 0; g < groups; g++) {
        const id = randomUUID()
        const now = Date.now()
        const projectId = rows[0]?.projectId ?? ''
        const group = {
          id,
          name: `apart-${g}`,
          description: '',
          projectId,
          timeCreated: now,
          timeModified: now,
        }
        await tx
          .insertInto('affinityGroup')
          .values({ ...group, kind: 'anti_affinity', policy: 'allow' })
          .execute()
        const members = rows.slice(g * 20, g * 20 + 20).map((row) => ({ groupId: id, instanceId: row.id }))
        await tx.insertInto('affinityMember').values(members).execute()
      }
      return first.id
    })
  } finally {
    await engine.close()
  }
}

async function figuresIn(folder: string, sledId: string, rounds: number): Promise<Figure[]> {
  const server = await startServer({ folder })
  const browser = await launch()
  try {
    const { cookie } = await signIn(server.url)
    const plans: number[] = []
    for (let i = 0; i <= rounds; i++) {
      const began = performance.now()
      const path = `/v1/system/hardware/sleds/${sledId}/maintenance/plan?limit=1000`
      const answer = await ask(server.url, path, { headers: { cookie } })
      const { items } = JSON.parse(answer.text) as { items: unknown[] }
      if (items.length !== moved) throw new Error(`the plan has ${items.length} instances`)
      if (i > 0) plans.push(performance.now() - began)
    }
    const site = { browser, origin: server.url, cookie }
    const shown = async (path: string, text: string) => {
      const goal = { selectors: ['tbody tr'], text }
      return (await visited(site, (page) => arrive(page, server.url + path, goal))).goal
    }
    const times: Record<'sleds' | 'instances', number[]> = { sleds: [], instances: [] }
    // In turns, so that both are measured on the same machine.
    for (let i = 0; i < rounds; i++) {
      times.instances.push(await shown(`/projects/${project}/instances`, instanceName(0)))
      times.sleds.push(await shown('/system/inventory/sleds', 'BENCH'))
    }
    const [first, other] = [median(times.sleds), median(times.instances)]
    return [
      { name: `plan for ${moved} instances: p50`, value: median(plans), unit: 'ms' },
      { name: `${sleds} sleds: first row`, value: first, unit: 'ms' },
      { name: `${instances} instances: first row`, value: other, unit: 'ms' },
      { name: 'first row of sleds, compared with instances', value: first / other, unit: '×' },
    ]
  } finally {
    await browser.close()
    await server.stop()
  }
}
