/** All settings of ports and of BGP, as they are kept while a change of them waits to be confirmed. */
import { insertRows } from '#/db/prepared.ts'
import { unconfirmedIn } from './unconfirmed.ts'
import type { Tables, Tx } from '#/db/tables.ts'
import type { Lines } from './configuration-lines.ts'

const parts = [
  'switchPortSettings',
  'switchPortAddress',
  'switchPortPeer',
  'bgpConfig',
  'bgpAnnounceSet',
  'bgpAnnouncement',
] as const
export interface Snapshot {
  rows: { [T in (typeof parts)[number]]: Tables[T][] }
  ports: { id: string; portSettingsId: string | null }[]
  /** The settings of each switch as lines. A snapshot that an older version has made has none. */
  lines?: Lines[]
}

export const readSnapshot = (text: string): Snapshot => {
  const snapshot: Snapshot = JSON.parse(text)
  return snapshot
}

export const snapshotOf = async (tx: Tx): Promise<Snapshot> => ({
  rows: {
    switchPortSettings: await tx.selectFrom('switchPortSettings').selectAll().execute(),
    switchPortAddress: await tx.selectFrom('switchPortAddress').selectAll().execute(),
    switchPortPeer: await tx.selectFrom('switchPortPeer').selectAll().execute(),
    bgpConfig: await tx.selectFrom('bgpConfig').selectAll().execute(),
    bgpAnnounceSet: await tx.selectFrom('bgpAnnounceSet').selectAll().execute(),
    bgpAnnouncement: await tx.selectFrom('bgpAnnouncement').selectAll().execute(),
  },
  ports: await tx
    .selectFrom('switchPort')
    .select(['id', 'portSettingsId'])
    .where('portSettingsId', 'is not', null)
    .execute(),
})

/** Makes everything as it was. */
export async function restoreSwitches(tx: Tx, formerJson: string): Promise<void> {
  const { rows, ports } = readSnapshot(formerJson)
  for (const table of parts) await tx.deleteFrom(table).execute()
  for (const table of parts) await insertRows(tx, table, rows[table])
  await tx.updateTable('switchPort').set({ portSettingsId: null }).execute()
  for (const { id, portSettingsId } of ports)
    await tx.updateTable('switchPort').set({ portSettingsId }).where('id', '=', id).execute()
}

/** The addresses and the blocks of lots that a roll-back would need. Until it is confirmed, nothing else takes or deletes them. */
export async function heldForRollBack(tx: Tx): Promise<{ ipKeys: string[]; blockIds: Set<string> }> {
  const waiting = await unconfirmedIn(tx, 'switches')
  if (!waiting) return { ipKeys: [], blockIds: new Set() }
  const { switchPortAddress, bgpAnnouncement } = readSnapshot(waiting.formerJson).rows
  return {
    ipKeys: switchPortAddress.map(({ ipKey }) => ipKey),
    blockIds: new Set([...switchPortAddress, ...bgpAnnouncement].map((row) => row.addressLotBlockId)),
  }
}
