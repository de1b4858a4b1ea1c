/** The data that cloud-init reads from a disk with the label CIDATA: its data source NoCloud. JSON is YAML. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { VmSpec } from '@purlin/core/ports'

/** The files of the disk, by name. */
export function seedFiles(id: string, spec: VmSpec): Record<string, string | Uint8Array> {
  const { hostname, sshPublicKeys, userData, nics } = spec
  const ethernets = Object.fromEntries(
    nics.map(({ mac, slot, isIpv6 }) => [
      `nic${slot}`,
      {
        match: { macaddress: mac.toLowerCase() },
        // Without it, some versions of cloud-init configure an interface that the guest does not have.
        'set-name': `nic${slot}`,
        ...(isIpv6 ? { dhcp6: true, 'accept-ra': true } : { dhcp4: true }),
      },
    ]),
  )
  return {
    'meta-data': json({ 'instance-id': id, 'local-hostname': hostname, 'public-keys': sshPublicKeys }),
    // Without user data, there is still a file: it makes the disk one of NoCloud.
    'user-data': userData.length > 0 ? userData : '#cloud-config\n{}\n',
    'network-config': json({ version: 2, ethernets }),
  }
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Writes the files into a folder. User data may have secrets: only the owner reads it. */
export async function writeSeed(folder: string, id: string, spec: VmSpec): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [name, content] of Object.entries(seedFiles(id, spec)))
    await writeFile(join(folder, name), content, { mode: 0o600 })
}
