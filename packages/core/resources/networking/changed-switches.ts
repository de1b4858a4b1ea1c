/** Which switches a change that waits to be confirmed is about. */
import type { Ctx } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { compare, linesOf, type Lines } from './configuration-lines.ts'
import { configurationOf } from './switch-configuration.ts'
import { readSnapshot, snapshotOf, type Snapshot } from './switch-snapshot.ts'
import { beforeChange } from './unconfirmed.ts'

const formerOf = async (tx: Tx): Promise<Snapshot> => ({
  ...(await snapshotOf(tx)),
  lines: await linesOfSwitches(tx),
})

/** Is called before each change of the settings of switches: see `beforeChange`. */
export async function changeSwitches(ctx: Ctx, confirmWithin?: number): Promise<void> {
  await beforeChange(ctx, 'switches', { confirmWithin, former: () => formerOf(ctx.tx) })
  ctx.wake('switches')
}

/** The settings of every switch. */
export async function linesOfSwitches(tx: Tx): Promise<Lines[]> {
  const rows = await tx.selectFrom('switch').selectAll().orderBy('location').orderBy('id').execute()
  const all: Lines[] = []
  for (const row of rows) {
    const lines = linesOf(await configurationOf(tx, row))
    all.push({ switchId: row.id, rackId: row.rackId, switchLocation: row.location, lines })
  }
  return all
}

/** The switches whose settings are not those of the snapshot. */
export async function changedSwitches(tx: Tx, formerJson: string): Promise<{ id: string; name: string }[]> {
  const { lines = [] } = readSnapshot(formerJson)
  const differing = compare(lines, await linesOfSwitches(tx))
  return differing.map(({ switchId, switchLocation }) => ({ id: switchId, name: switchLocation }))
}
