/** The ports that settings are applied to, and the rules about them. */
import type { SwitchPortSettingsTable, SwitchPortTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

/** The ports that have settings, by their names. */
export const portsWith = (tx: Tx, { id }: Pick<SwitchPortSettingsTable, 'id'>): Promise<SwitchPortTable[]> =>
  tx
    .selectFrom('switchPort')
    .selectAll()
    .where('portSettingsId', '=', id)
    .orderBy('switchLocation')
    .orderBy('name')
    .execute()

/** A switch is in one autonomous system: throws 409 if the settings of its ports say several. */
export async function refuseSecondAsn(
  tx: Tx,
  { switchId }: Pick<SwitchPortTable, 'switchId'>,
): Promise<void> {
  const asns = await tx
    .selectFrom('switchPort')
    .innerJoin('switchPortPeer', 'switchPortPeer.switchPortSettingsId', 'switchPort.portSettingsId')
    .innerJoin('bgpConfig', 'bgpConfig.id', 'switchPortPeer.bgpConfigId')
    .select('asn')
    .distinct()
    .where('switchId', '=', switchId)
    .execute()
  if (asns.length > 1) throw fault.conflict('a different asn is already configured on this switch')
}

/** Throws 400 for settings with addresses that another port has: an address is on one port. */
export async function refuseSharedAddresses(
  tx: Tx,
  settings: SwitchPortSettingsTable,
  port: SwitchPortTable,
): Promise<void> {
  const other = (await portsWith(tx, settings)).find(({ id }) => id !== port.id)
  if (!other) return
  const address = tx.selectFrom('switchPortAddress').select('id')
  if (await address.where('switchPortSettingsId', '=', settings.id).limit(1).executeTakeFirst())
    throw fault.invalid(
      `address unavailable: port ${other.name} of ${other.switchLocation} has these settings, and an address is on one port only`,
    )
}
