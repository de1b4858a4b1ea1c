/**
 * The cost of a large VPC: the model of its network, pushing it to sleds after a change, a trace, and replacing the
 * maximum number of rules.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { World } from '@purlin/core'
import type { Engine } from '@purlin/core/ports'
import { recordHardware } from '@purlin/core/testing/timeseries-store'
import { networkOf, pushNetworks, readVpc } from '@purlin/core/testing/networks/network-model'
import { createMemoryBlobs } from '@purlin/databases/blobs-in-memory'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { newFolder } from '@purlin/server/testing/children'
import { instanceOf, rulesFor } from '@purlin/server/testing/largest-network'
import { ask, signIn } from '@purlin/server/testing/requests'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { median, type Figure, type Pace } from '../figures.ts'
import { query, seedNetwork } from '../network-seed.ts'
import { startServer } from './servers.ts'

const interfaces = 1000
const rules = 200
const mostRules = 1024
const sledsOfRack = 16

export async function networksOnSqlite(pace: Pace): Promise<Figure[]> {
  const folder = newFolder()
  try {
    await seedNetwork(folder.path, interfaces, rules)
    const requests = await requestTimes(folder.path, pace)
    return [...(await modelTimes(folder.path, pace)), ...requests]
  } finally {
    folder.remove()
  }
}

const times = ({ rounds }: Pace): number => (rounds > 1 ? 20 : 5)
const ms = (name: string, value: number): Figure => ({ name, value, unit: 'ms' })

/** The median time of some work, after one that does not count, in ms. */
async function timed(count: number, work: (n: number) => Promise<unknown>): Promise<number> {
  await work(0)
  const spent: number[] = []
  for (let n = 1; n <= count; n++) {
    const began = performance.now()
    await work(n)
    spent.push(performance.now() - began)
  }
  return median(spent)
}

async function modelTimes(folder: string, pace: Pace): Promise<Figure[]> {
  const engine = openSqlite(join(folder, 'purlin.db'))
  try {
    const { vpcId } = await engine.transaction('read', (tx) =>
      tx.selectFrom('networkInterface').select('vpcId').executeTakeFirstOrThrow(),
    )
    const read = () => engine.transaction('read', (tx) => readVpc(tx, vpcId))
    const rows = await read()
    if (rows?.nics.length !== interfaces || rows.rules.length !== rules) throw new Error('another network')
    const reading = await timed(times(pace), read)
    const model = await timed(times(pace), () => Promise.resolve(networkOf(rows)))
    return [ms('rows: read', reading), ms('model', model), ...(await pushTimes(engine, vpcId))]
  } finally {
    await engine.close()
  }
}

/** The time from a change of one rule until all sleds have it, and what CPU time that took. */
async function pushTimes(engine: Engine, vpcId: string): Promise<Figure[]> {
  const world = worldOn(engine)
  await recordHardware(world)
  const sleds = (await world.sleds.hardware()).sleds.map(({ id }) => id)
  await engine.transaction('write', async (tx) => {
    const ids = await tx.selectFrom('instance').select('id').execute()
    for (const [i, { id }] of ids.entries())
      await tx
        .updateTable('instance')
        .set({ sledId: sleds[i % sleds.length] })
        .where('id', '=', id)
        .execute()
  })
  const loop = pushNetworks(world)
  const pushed = async () => {
    const version = await versionOf(engine, vpcId)
    for (let next = await loop.round(); ; next = await loop.round()) {
      const held = await Promise.all(sleds.map((id) => world.sleds.networks(id)))
      if (held.every(([one]) => (one?.version ?? 0) > version)) return
      await new Promise((done) => setTimeout(done, Math.max(1, next - Date.now())))
    }
  }
  await pushed()
  const before = process.cpuUsage()
  const began = performance.now()
  await engine.transaction('write', async (tx) => {
    await tx.updateTable('vpcFirewallRule').set({ status: 'disabled' }).where('name', '=', 'rule-1').execute()
  })
  loop.changed(vpcId)
  await pushed()
  const { user, system } = process.cpuUsage(before)
  return [
    ms('push of a changed rule to 16 sleds', performance.now() - began),
    ms('push: CPU', (user + system) / 1000),
  ]
}

async function versionOf(engine: Engine, vpcId: string): Promise<number> {
  const row = await engine.transaction('read', (tx) =>
    tx.selectFrom('vpcNetwork').select('version').where('vpcId', '=', vpcId).executeTakeFirst(),
  )
  return row?.version ?? 0
}

function worldOn(engine: Engine): World {
  const nothing = () => undefined
  const unused = () => {
    throw new Error('not needed here')
  }
  const clock = {
    now: () => Date.now(),
    after: (after: number, fn: () => void) => {
      const timer = setTimeout(fn, after)
      return () => clearTimeout(timer)
    },
  }
  const fingerprint = (text: string) => createHash('sha256').update(text).digest('hex')
  return {
    engine,
    clock,
    ids: { uuid: randomUUID, bytes: (n) => new Uint8Array(randomBytes(n)) },
    passwords: {
      hash: unused,
      verify: unused,
      isOutdated: unused,
      common: unused,
      fingerprint,
      sign: unused,
    },
    sleds: createSimulatedSleds({ clock, rack: { sleds: sledsOfRack } }),
    blobs: createMemoryBlobs(),
    sha256: unused,
    log: { info: nothing, warn: nothing, error: nothing },
    sessions: { idleMs: 0, absoluteMs: 0 },
  }
}

async function requestTimes(folder: string, pace: Pace): Promise<Figure[]> {
  const server = await startServer({ folder })
  const { cookie, api } = await signIn(server.url)
  const vpc = await api.vpcView({ params: { vpc: query.vpc }, query: { project: query.project } })
  const send = (method: string, path: string) => async (body: string | undefined) => {
    const headers = { cookie, 'content-type': 'application/json', 'cache-control': 'no-cache' }
    const answer = await ask(server.url, path, { method, headers, ...(body === undefined ? {} : { body }) })
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`)
  }
  const trace = send('POST', `/v1/vpcs/${vpc.id}/trace?`)
  const question = (n: number) => ({
    source: { type: 'instance', value: instanceOf(n) },
    destination: { type: 'instance', value: instanceOf(interfaces - 1 - n) },
    protocol: { type: 'tcp', port: 1000 + n },
    assume_running: true,
  })
  const traced = await timed(times(pace), (n) => trace(JSON.stringify(question(n))))
  const effects = send('GET', `/v1/vpcs/${vpc.id}/effects`)
  const shown = await timed(times(pace), () => effects(undefined))
  const change = JSON.stringify({ change: { type: 'firewall_rules', rules: [] } })
  const preview = send('POST', `/v1/vpcs/${vpc.id}/preview`)
  const previewed = await timed(times(pace), () => preview(change))
  // The names of these fields are the same on the wire.
  const body = JSON.stringify({ rules: rulesFor(mostRules, interfaces) })
  const replace = send('PUT', `/v1/vpc-firewall-rules?vpc=${vpc.id}`)
  const replaced = await timed(times(pace), () => replace(body))
  // The model is measured with these again.
  await api.vpcFirewallRulesUpdate({ query: { vpc: vpc.id }, body: { rules: rulesFor(rules, interfaces) } })
  await server.stop()
  return [
    ms('trace: p50', traced),
    ms('effects: p50', shown),
    ms('preview: p50', previewed),
    ms('replace 1024 rules: p50', replaced),
  ]
}
