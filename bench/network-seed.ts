/** A database with a large VPC: its first instance is made through the API, the rest are copies of its rows. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fromKey, keyOf } from '@purlin/contract/rules/network/ip'
import { batches } from '@purlin/core/testing/networks/network-model'
import type { Engine, Tables } from '@purlin/core/ports'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { instanceOf, rulesFor } from '@purlin/server/testing/largest-network'
import { signIn } from '@purlin/server/testing/requests'
import { addPool } from './seed.ts'
import { startServer } from './scenarios/servers.ts'

export const query = { project: 'bench', vpc: 'default' }
const named = (name: string) => ({ name, description: '' })
/** Fills a new database with a VPC of this many interfaces and rules. No server may run on it. */
export async function seedNetwork(folder: string, instances: number, rules: number): Promise<void> {
  const place = { folder }
  await startServer(place).then((server) => server.stop())
  await addPool(place)
  const server = await startServer(place)
  const { api } = await signIn(server.url)
  await api.projectCreate({ body: named('bench') })
  const { id } = await api.instanceCreate({
    query: { project: 'bench' },
    body: { ...named(instanceOf(0)), hostname: instanceOf(0), ncpus: 1, memory: 2 ** 30, start: false },
  })
  await api.vpcFirewallRulesUpdate({ query, body: { rules: rulesFor(rules, instances) } })
  await server.stop()
  const engine = openSqlite(join(folder, 'purlin.db'))
  try {
    await engine.transaction('write', (tx) => copies(tx, id, instances))
  } finally {
    await engine.close()
  }
}

type Tx = Parameters<Parameters<Engine['transaction']>[1]>[0]
const after = (key: string, i: number): string => {
  const { family, value } = fromKey(key)
  return keyOf({ family, value: value + BigInt(i) })
}

async function copies(tx: Tx, instanceId: string, count: number): Promise<void> {
  const first = async <T extends 'networkInterface' | 'externalIp'>(table: T) =>
    (await tx
      .selectFrom(table as 'networkInterface')
      .selectAll()
      .where('instanceId', '=', instanceId)
      .executeTakeFirstOrThrow()) as unknown as Tables[T]
  const instance = await tx
    .selectFrom('instance')
    .selectAll()
    .where('id', '=', instanceId)
    .executeTakeFirstOrThrow()
  const [nic, external] = [await first('networkInterface'), await first('externalIp')]
  const rows = Array.from({ length: count - 1 }, (_, i) => {
    const [name, id, n] = [instanceOf(i + 1), randomUUID(), i + 1]
    const address = { id: randomUUID(), instanceId: id, ipKey: after(external.ipKey, n) }
    return {
      instance: { ...instance, id, name, hostname: name },
      nic: { ...nic, id: randomUUID(), instanceId: id, mac: nic.mac + n, ipKey: after(nic.ipKey, n) },
      external: { ...external, ...address, name: address.id },
    }
  })
  for (const some of batches(rows, 200)) {
    await tx
      .insertInto('instance')
      .values(some.map((one) => one.instance))
      .execute()
    await tx
      .insertInto('networkInterface')
      .values(some.map((one) => one.nic))
      .execute()
    await tx
      .insertInto('externalIp')
      .values(some.map((one) => one.external))
      .execute()
  }
}
