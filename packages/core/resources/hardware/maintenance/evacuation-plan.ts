/** Where the instances of a sled would go, by the same rules that move them. */
import type { SledTable, Tx } from '#/db/tables.ts'
import { instanceAnswer } from '@purlin/contract/rules/states'
import { batches } from '#/db/batches.ts'
import { choose, rulesOf, type NearMember } from '#/resources/instances/placement-rules.ts'
import type { NamedInstance } from '#/resources/instances/view.ts'
import { freeOn, instancesWithNames, sledsOpen } from '../sled-rows.ts'
import {
  canRun,
  keepsCpu,
  membersNear,
  onlyReached,
  onlySameCpu,
  reachedFrom,
  noneToMoveTo,
  withInterfaces,
} from '#/resources/instances/placement.ts'

const perRead = 500

/** Where each instance on a sled would go if they were moved one after another, or why it cannot be moved. */
export async function planMoves(tx: Tx, sled: SledTable) {
  const instances = await instancesWithNames(tx)
    .selectAll('instance')
    .where('instance.sledId', '=', sled.id)
    .orderBy('instance.id')
    .execute()
  const ids = instances.map(({ id }) => id)
  const near = await membersOf(tx, ids)
  const networked = await networkedOf(tx, ids)
  const open = await openSleds(tx, sled)
  const places = new Map<string, string>()
  return instances.map((row) => {
    if (instanceAnswer('move', row.runState) === 'unchanged')
      return {
        ...shown(row),
        to: row.migrationSledId,
        reason: row.migrationSledId === null ? `It is ${row.runState}` : null,
      }
    const others = (near.get(row.id) ?? []).map((one) => ({
      ...one,
      sledId: places.get(one.instanceId) ?? one.sledId,
    }))
    const able = open.filter(({ cpuFamily }) => canRun(cpuFamily, row.cpuPlatform))
    const roomy = able.filter((one) => one.freeThreads >= row.ncpus && one.freeMemory >= row.memory)
    const alike = roomy.filter((one) => keepsCpu(row, sled, one))
    const fitting = alike.filter((one) => one.reachedBy[networked.has(row.id) ? 'networked' : 'others'])
    const whyNoneOf = alike.length === 0 ? onlySameCpu : onlyReached
    const isRefused = fitting.length === 0 && roomy.length > 0
    const choice = choose({ rules: rulesOf(others), fitting, leaving: sled.id, dice: undefined })
    const target = open.find(({ id }) => id === choice.sled)
    if (target) {
      target.freeThreads -= row.ncpus
      target.freeMemory -= row.memory
      places.set(row.id, target.id)
    }
    return {
      ...shown(row),
      to: target?.id ?? null,
      reason: isRefused
        ? whyNoneOf
        : choice.sled === undefined
          ? (choice.refusal.why ?? noneToMoveTo[lackOf(open, able)](row))
          : null,
    }
  })
}

/** An instance of the plan as operators see it. */
const shown = ({ id, name, projectName, siloName, runState, ncpus, memory }: NamedInstance) => ({
  id,
  name,
  projectName,
  siloName,
  state: runState,
  ncpus,
  memory,
})

const lackOf = (open: readonly unknown[], able: readonly unknown[]) =>
  open.length === 0 ? 'open' : able.length === 0 ? 'platform' : 'room'

async function membersOf(tx: Tx, ids: readonly string[]): Promise<Map<string, NearMember[]>> {
  const all: NearMember[] = []
  for (const some of batches(ids, perRead)) all.push(...(await membersNear(tx, some)))
  return Map.groupBy(all, (one) => one.of)
}

async function networkedOf(tx: Tx, ids: readonly string[]): Promise<Set<string | null>> {
  const all = new Set<string | null>()
  for (const some of batches(ids, perRead)) for (const id of await withInterfaces(tx, some)) all.add(id)
  return all
}

/** The other sleds that take instances, with the room that they have. */
async function openSleds(tx: Tx, leaving: SledTable) {
  const rows = await sledsOpen(tx).selectAll().where('id', '!=', leaving.id).orderBy('id').execute()
  const reachedBy = async (hasInterfaces: boolean) =>
    new Set(await reachedFrom(tx, { from: leaving, hasInterfaces }, rows))
  const [networked, others] = [await reachedBy(true), await reachedBy(false)]
  return rows.map((row) => ({
    id: row.id,
    cpuFamily: row.cpuFamily,
    hostJson: row.hostJson,
    reachedBy: { networked: networked.has(row), others: others.has(row) },
    ...freeOn(row),
  }))
}
