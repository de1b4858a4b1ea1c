/**
 * Removes machines that no row places where they are. A sled that was cut off may still run what was given up in the meantime:
 * its instance may run elsewhere, have stopped, or be gone. A machine of a boot that no row has begun was started after the backup
 * from which the database was restored: the row goes above that boot, so that the machine is an old one.
 */
import { batches } from '#/db/batches.ts'
import type { Waking, World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { SledUnreachable, type VmPresence } from '#/ports.ts'
import { changeInstance } from '#/resources/instances/change.ts'
import { stay } from '#/resources/instances/move.ts'
import type { InstanceRow } from '#/resources/instances/view.ts'
import { sledsPresent } from '#/resources/hardware/sled-rows.ts'
import { hostLeasesOf } from '#/resources/hardware/host-leases.ts'
import type { Loop } from '../loop.ts'

const everyMs = 60_000
const perQuery = 200

/** No instance was started as often: a sled that says so is wrong. */
const mostBoots = 2 ** 40

/** The sleds and instances for which a boot was raised, each once: a host that invents boots changes no row again and again. */
type Raised = Set<string>

/** The loop. `wake` asks for a round of another one soon. */
export function removeOrphans(world: World, wake: (what: Waking) => void): Loop {
  const { engine, blobs, clock } = world
  const raised: Raised = new Set()
  return {
    name: 'orphans',
    async round() {
      // The disks are of another database: then its rows place the machines, not those of this one.
      if (blobs.readOnly === undefined) {
        const sleds = await engine.transaction('read', (tx) => sledsPresent(tx).select('id').execute())
        for (const { id } of sleds.filter((one) => hostLeasesOf(world).holds(one.id))) {
          if (await goAboveBoots(world, id, raised).catch(unlessUnreachable)) wake('instances')
          await removeFrom(world, id).catch(unlessUnreachable)
        }
      }
      return clock.now() + everyMs
    },
  }
}

function unlessUnreachable(error: unknown): void {
  if (!(error instanceof SledUnreachable)) throw error
}

/** Resolves to true if there are machines of newer boots than those of their rows, which have newer ones now. */
async function goAboveBoots(world: World, sledId: string, raised: Raised): Promise<boolean> {
  const { engine, sleds, log } = world
  let isAny = false
  // Listed first: a machine has its row before it exists.
  for (const batch of batches(await sleds.machines(sledId), perQuery)) {
    const newer = await engine.transaction('read', (tx) => newerThanRow(tx, sledId, batch))
    for (const machine of newer.filter(({ id }) => !raised.has(`${sledId} ${id}`))) {
      const fields = { instance: machine.id, sled: sledId, boot: machine.boot }
      log.warn(fields, 'a machine has a boot that the database does not know: it was restored')
      await engine.transaction('write', (tx) => goAbove(world, tx, { sledId, machine }))
      raised.add(`${sledId} ${machine.id}`)
      isAny = true
    }
  }
  return isAny
}

/** The machines of this sled, and of stopped instances: no host changes what others run. */
async function newerThanRow(tx: Tx, sledId: string, machines: readonly VmPresence[]): Promise<VmPresence[]> {
  const rows = new Map((await rowsOf(tx, machines)).map((row) => [row.id, row]))
  return machines.filter(({ id, boot }) => {
    const row = rows.get(id)
    return row && boot > row.boot && boot < mostBoots && (row.sledId ?? sledId) === sledId
  })
}

async function goAbove(
  { clock }: World,
  tx: Tx,
  { sledId, machine }: { sledId: string; machine: VmPresence },
): Promise<void> {
  const [row] = await rowsOf(tx, await newerThanRow(tx, sledId, [machine]))
  if (!row) return
  const now = clock.now()
  const isMoving = row.migrationId !== null
  const unmoved = isMoving
    ? await stay(tx, row, { reason: 'the database was restored from a backup', now })
    : {}
  const set = {
    ...unmoved,
    ...(row.runState === 'migrating' ? ({ runState: 'running' } as const) : {}),
    ...(row.sledId === null ? {} : { dueAt: now }),
    boot: machine.boot + 1,
  }
  await changeInstance(tx, row, { now, set })
}

const rowsOf = async (tx: Tx, machines: readonly VmPresence[]): Promise<InstanceRow[]> =>
  machines.length === 0
    ? []
    : tx
        .selectFrom('instance')
        .selectAll()
        .where(
          'id',
          'in',
          machines.map(({ id }) => id),
        )
        .execute()

async function removeFrom(world: World, sledId: string): Promise<void> {
  const suspects = await orphansOn(world, sledId)
  if (suspects.length === 0) return
  // One that has moved away and back between list and rows is not among both.
  const still = new Set((await orphansOn(world, sledId)).map(keyOf))
  for (const machine of suspects.filter((one) => still.has(keyOf(one)))) {
    world.log.warn(
      { instance: machine.id, sled: sledId, boot: machine.boot },
      'a machine without a row is removed',
    )
    await world.sleds.remove(machine.id, sledId, machine.boot)
  }
}

const keyOf = ({ id, boot }: VmPresence) => `${id} ${boot}`

async function orphansOn({ engine, sleds }: World, sledId: string): Promise<VmPresence[]> {
  const found: VmPresence[] = []
  // Listed first: a machine has its row before it exists.
  for (const batch of batches(await sleds.machines(sledId), perQuery))
    found.push(...(await engine.transaction('read', (tx) => withoutRow(tx, sledId, batch))))
  return found
}

/** The machines whose instance is elsewhere or nowhere. One with a newer boot than the row, or on its way, is none of them. */
async function withoutRow(tx: Tx, sledId: string, machines: readonly VmPresence[]): Promise<VmPresence[]> {
  const rows = await rowsOf(tx, machines)
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return machines.filter(({ id, boot }) => {
    const row = rowOf.get(id)
    if (!row) return true
    return row.migrationId === null && row.sledId !== sledId && boot <= row.boot
  })
}
