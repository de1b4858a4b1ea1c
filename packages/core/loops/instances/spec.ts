/** The specification of a machine for its sled: read again at each boot, so that changes take effect then. */
import { fromBase64 } from '@purlin/contract/wire'
import type { Tx } from '#/db/tables.ts'
import type { Layer, VmSpec } from '#/ports.ts'
import { chainOf } from '#/resources/storage/layers.ts'
import type { InstanceRow } from '#/resources/instances/view.ts'

/** The layers of the disks of an instance. */
export async function layersOf(tx: Tx, { id }: Pick<InstanceRow, 'id'>): Promise<Layer[][]> {
  const disks = await tx.selectFrom('disk').select('layerId').where('instanceId', '=', id).execute()
  const chains: Layer[][] = []
  for (const { layerId } of disks) chains.push(await chainOf(tx, layerId))
  return chains
}

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
    sshPublicKeys: keys.map((key) => key.publicKey.trim()),
  }
}
