/** The IP pools with the addresses of the control plane itself, which a database has from the beginning. */
import type { Tx } from '../tables.ts'

/** What marks them: see `IpPoolTable`. */
export const servicePurpose = 'service'

/** Makes one of each version. No operation has made pools before, so the names are free. */
export async function addServicePools(tx: Tx, now: number): Promise<void> {
  for (const ipVersion of ['v4', 'v6'])
    await tx
      .insertInto('ipPool')
      .values({
        id: `001de000-1337-4000-8000-00000000000${ipVersion.slice(1)}`,
        name: `control-plane-${ipVersion}`,
        description: 'Addresses of the control plane itself',
        timeCreated: now,
        timeModified: now,
        rcgen: 0,
        ipVersion,
        purpose: servicePurpose,
      })
      .execute()
}
