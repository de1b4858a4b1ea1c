/** The specification of a machine for its sled: read again at each boot, so that changes take effect then. */
import { formatIp, fromKey } from '@purlin/contract/rules/ip'
import { fromBase64 } from '@purlin/contract/wire'
import type { Tx } from '#/db/tables.ts'
import type { VmAddress, VmSpec } from '#/ports.ts'
import { formatMac } from '#/network/mac.ts'
import type { InstanceRow } from '#/resources/instances/view.ts'

/** The external addresses of an instance in the form that its sled takes. */
export async function addressesOf(tx: Tx, instanceId: string): Promise<VmAddress[]> {
  const rows = await tx
    .selectFrom('externalIp')
    .select(['kind', 'ipKey', 'firstPort', 'lastPort'])
    .where('instanceId', '=', instanceId)
    .orderBy('id')
    .execute()
  return rows.map(({ ipKey, ...row }) => ({ ...row, ip: formatIp(fromKey(ipKey)) }))
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
    .selectAll()
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
    nics: nics.map((nic) => ({
      id: nic.id,
      mac: formatMac(nic.mac),
      ip: formatIp(fromKey(nic.ipKey)),
      primary: nic.isPrimary === 1,
      transitIps: JSON.parse(nic.transitIpsJson) as string[],
    })),
    externalIps: await addressesOf(tx, row.id),
    userData: fromBase64(row.userData),
    sshPublicKeys: keys.map((key) => key.publicKey),
  }
}
