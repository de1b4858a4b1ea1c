/**
 * Removes machines that no row places where they are. A sled that was cut off may still run what was given up in the meantime:
 * its instance may run elsewhere, have stopped, or be gone.
 */
import { batches } from '#/db/batches.ts'
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { SledUnreachable, type VmPresence } from '#/ports.ts'
import { sledsPresent } from '#/resources/hardware/sled-rows.ts'
import { hostLeasesOf } from '#/resources/hardware/host-leases.ts'
import type { Loop } from '../loop.ts'

const everyMs = 60_000
const perQuery = 200

export const removeOrphans = (world: World): Loop => ({
  name: 'orphans',
  async round() {
    const { engine, blobs, clock } = world
    // The disks are of another database: then its rows place the machines, not those of this one.
    if (blobs.readOnly === undefined) {
      const sleds = await engine.transaction('read', (tx) => sledsPresent(tx).select('id').execute())
      for (const { id } of sleds)
        if (hostLeasesOf(world).holds(id)) await removeFrom(world, id).catch(unlessUnreachable)
    }
    return clock.now() + everyMs
  },
})

function unlessUnreachable(error: unknown): void {
  if (!(error instanceof SledUnreachable)) throw error
}

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
  const rows = await tx
    .selectFrom('instance')
    .select(['id', 'sledId', 'boot', 'migrationId'])
    .where(
      'id',
      'in',
      machines.map(({ id }) => id),
    )
    .execute()
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return machines.filter(({ id, boot }) => {
    const row = rowOf.get(id)
    if (!row) return true
    return row.migrationId === null && row.sledId !== sledId && boot <= row.boot
  })
}
