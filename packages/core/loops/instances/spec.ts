/** The specification of a machine for its sled: read again at each boot, so that changes take effect then. */
import { fromKey } from '@purlin/contract/rules/network/ip'
import { fromBase64 } from '@purlin/contract/wire'
import type { Tx } from '#/db/tables.ts'
import { formatMac } from '#/network/mac.ts'
import type { VmDisk, VmSpec } from '#/ports.ts'
import { chainOf } from '#/resources/storage/layers.ts'
import type { InstanceRow } from '#/resources/instances/view.ts'

export async function specOf(tx: Tx, row: InstanceRow): Promise<VmSpec> {
  const nics = await tx
    .selectFrom('networkInterface')
    .select(['id', 'mac', 'slot', 'ipKey'])
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
  const sled = await tx
    .selectFrom('sled')
    .select('cpuFamily')
    .where('id', '=', row.sledId ?? '')
    .executeTakeFirst()
  return {
    sledId: row.sledId ?? '',
    boot: row.boot,
    reset: row.reset,
    storage: row.storage ?? 0,
    name: row.name,
    hostname: row.hostname,
    ncpus: row.ncpus,
    ...(row.machineType === null ? {} : { machineType: row.machineType }),
    cpuPlatform: row.cpuPlatform ?? (sled?.cpuFamily === 'other' ? 'host' : 'amd_milan'),
    memory: row.memory,
    bootDiskId: row.bootDiskId,
    disks: await disksOf(tx, row),
    nics: nics.map(({ ipKey, mac, ...nic }) => ({ ...nic, mac: formatMac(mac), ...kindOf(ipKey) })),
    userData: fromBase64(row.userData),
    sshPublicKeys: keys.map((key) => key.publicKey.trim()),
  }
}

const kindOf = (ipKey: string) => (fromKey(ipKey).family === 6 ? { isIpv6: true } : {})

/** The disks of an instance in the order of their slots, with their layers. */
export async function disksOf(tx: Tx, { id: instanceId }: Pick<InstanceRow, 'id'>): Promise<VmDisk[]> {
  const rows = await tx
    .selectFrom('disk')
    .select(['id', 'name', 'size', 'blockSize', 'slot', 'layerId'])
    .where('instanceId', '=', instanceId)
    .orderBy('slot')
    .execute()
  const disks: VmDisk[] = []
  for (const { layerId, slot, ...disk } of rows)
    disks.push({ ...disk, slot: slot ?? 0, layers: await chainOf(tx, layerId) })
  return disks
}
