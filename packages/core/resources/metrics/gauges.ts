/** The state of the cloud in numbers, for the monitoring of its operators. */
import type { World } from '#/context.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import type { Tx } from '#/db/tables.ts'
import { capacityOf, type Capacity, type Share } from '../hardware/capacity.ts'
import { sledsInService } from '../hardware/sled-rows.ts'

/** One measured value, and what tells it from the others of its gauge. */
export interface Measured {
  labels: Record<string, string>
  value: number
}

/** All gauges by name. The names of labels are always the same; each has few values: sleds, states, kinds. */
export interface Gauges {
  /** instances by state */
  instances: Measured[]
  /** tasks that have not ended */
  tasks: Measured[]
  /** conditions that need attention, by kind and severity */
  attention: Measured[]
  /** 1 for a sled that answers, 0 for a missing one */
  sledUp: Measured[]
  /** hardware threads of a sled: usable, reserved, used */
  sledThreads: Measured[]
  /** bytes of memory of a sled: usable, reserved, used */
  sledMemory: Measured[]
  /** bytes of storage of a sled: usable, reserved, used */
  sledStorage: Measured[]
  /** vCPUs of the running instances of the fleet */
  provisionedCpus: Measured[]
  /** bytes of memory of the running instances of the fleet */
  provisionedMemory: Measured[]
  /** bytes of the disks and snapshots of the fleet */
  provisionedStorage: Measured[]
}

/** Reads all gauges in one snapshot of the database. */
export const readGauges = ({ engine }: Pick<World, 'engine'>): Promise<Gauges> =>
  engine.transaction('read', gaugesIn)

async function gaugesIn(tx: Tx): Promise<Gauges> {
  const usage = await tx.selectFrom('usage').selectAll().where('id', '=', fleetId).executeTakeFirst()
  const ofFleet = (value: number | bigint | undefined) => [{ labels: {}, value: Number(value ?? 0) }]
  return {
    instances: await instancesByState(tx),
    tasks: await unfinishedTasks(tx),
    attention: await attentionByKind(tx),
    ...(await sledGauges(tx)),
    provisionedCpus: ofFleet(usage?.cpus),
    provisionedMemory: ofFleet(usage?.memory),
    provisionedStorage: ofFleet(usage?.storage),
  }
}

async function instancesByState(tx: Tx): Promise<Measured[]> {
  const rows = await tx
    .selectFrom('instance')
    .select((eb) => ['runState', eb.fn.countAll<number | string>().as('count')])
    .groupBy('runState')
    .execute()
  return rows.map(({ runState, count }) => ({ labels: { state: runState }, value: Number(count) }))
}

async function unfinishedTasks(tx: Tx): Promise<Measured[]> {
  const rows = await tx
    .selectFrom('task')
    .select((eb) => ['state', eb.fn.countAll<number | string>().as('count')])
    .where('state', 'in', ['preparing', 'waiting', 'running'])
    .groupBy('state')
    .execute()
  return rows.map(({ state, count }) => ({ labels: { state }, value: Number(count) }))
}

async function attentionByKind(tx: Tx): Promise<Measured[]> {
  const rows = await tx
    .selectFrom('attention')
    .select((eb) => ['kind', 'severity', eb.fn.countAll<number | string>().as('count')])
    .groupBy(['kind', 'severity'])
    .execute()
  return rows.map(({ count, ...labels }) => ({ labels, value: Number(count) }))
}

const uses = ['usable', 'reserved', 'used'] as const satisfies (keyof Share)[]

async function sledGauges(
  tx: Tx,
): Promise<Pick<Gauges, 'sledUp' | 'sledThreads' | 'sledMemory' | 'sledStorage'>> {
  const sleds = await sledsInService(tx).selectAll().orderBy('id').execute()
  const capacities = await capacityOf(tx, sleds)
  const of = (resource: keyof Capacity) =>
    sleds.flatMap(({ id, serial: sled }) =>
      uses.flatMap((use) => {
        const value = capacities.get(id)?.[resource][use] ?? null
        return value === null ? [] : [{ labels: { sled, use }, value }]
      }),
    )
  return {
    sledUp: sleds.map(({ serial: sled, missingSince }) => ({
      labels: { sled },
      value: missingSince === null ? 1 : 0,
    })),
    sledThreads: of('threads'),
    sledMemory: of('memory'),
    sledStorage: of('storage'),
  }
}
