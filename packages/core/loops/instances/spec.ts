/** The specification of a machine for its sled: read again at each boot, so that changes take effect then. */
import { fromBase64 } from '@purlin/contract/wire'
import type { Tx } from '#/db/tables.ts'
import type { VmSpec } from '#/ports.ts'
import type { InstanceRow } from '#/resources/instances/view.ts'

export async function specOf(tx: Tx, row: InstanceRow): Promise<VmSpec> {
  const disks = await tx
    .selectFrom('disk')
    .selectAll()
    .where('instanceId', '=', row.id)
    .orderBy('slot')
    .execute()
  const nics = await tx
    .selectFrom('networkInterface')
    .select('id')
    .where('instanceId', '=', row.id)
    .orderBy('slot')
    .execute()
  const keys = await tx
    .selectFrom('sshKey')
    .innerJoin('instanceSshKey', 'instanceSshKey.sshKeyId', 'sshKey.id')
    .select('sshKey.publicKey')
    .where('instanceSshKey.instanceId', '=', row.id)
    .orderBy('sshKey.name')
    .execute()
  return {
    sledId: row.sledId ?? '',
    boot: row.boot,
    reset: row.reset,
    name: row.name,
    hostname: row.hostname,
    ncpus: row.ncpus,
    cpuPlatform: row.cpuPlatform ?? 'amd_milan',
    memory: row.memory,
    bootDiskId: row.bootDiskId,
    disks: disks.map(({ id, name, size, blockSize, slot }) => ({
      id,
      name,
      size,
      blockSize,
      slot: slot ?? 0,
    })),
    nicIds: nics.map(({ id }) => id),
    userData: fromBase64(row.userData),
    sshPublicKeys: keys.map((key) => key.publicKey),
  }
}
