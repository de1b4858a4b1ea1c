/** The seed as a guest has it: one boot, and the files as cloud-init reads them. */
import { randomUUID } from 'node:crypto'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { readByCloudInit } from '../testing/cloud-init.ts'
import { buildGuest, noGuest } from '../testing/guest.ts'
import { whyNoQemu } from '../testing/qemu.ts'
import { sharedFolder } from '../testing/shared-hosts.ts'
import { openShell } from '../testing/shell.ts'

const MiB = 1024 ** 2
const names = ['meta-data', 'user-data', 'network-config']
const keys = ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample web@example.com', 'ssh-rsa AAAAB3Nza two']
// Longer than a cluster of the file system.
const userData = `#cloud-config\n# ${'ü'.repeat(20_000)}\npackages: [nginx]\nruncmd:\n  - [touch, /ready]\n`

it.skipIf(lacks(whyNoQemu))(
  'a guest finds its seed by the label, with what was asked for',
  async ({ skip }) => {
    const kernel = buildGuest()
    if (!kernel) return skip(lacks(noGuest))
    const hosts = sharedFolder()
    const { host, sledId } = await hosts.open('host', { kernel })
    const web = randomUUID()
    await host.ensure(web, {
      ...exampleSpec(sledId),
      ncpus: 1,
      memory: 192 * MiB,
      cpuPlatform: 'host',
      disks: [],
      bootDiskId: null,
      hostname: 'web-1',
      sshPublicKeys: keys,
      userData: new TextEncoder().encode(userData),
      nics: [
        { id: randomUUID(), mac: 'A8:40:25:F0:00:0A', slot: 0 },
        { id: randomUUID(), mac: 'A8:40:25:F0:00:0B', slot: 1, isIpv6: true },
      ],
    })
    await vi.waitFor(async () => expect((await host.inspect(web, sledId))?.state).toBe('running'), 60_000)
    const shell = await openShell(host, { id: web, sledId })
    await shell.type('mount -o ro LABEL=CIDATA /mnt')
    expect((await shell.type('ls /mnt')).split(/\s+/).toSorted()).toEqual(names.toSorted())
    const files: Record<string, Uint8Array> = {}
    for (const name of names) files[name] = Buffer.from(await shell.type(`base64 /mnt/${name}`), 'base64')
    expect(await shell.type('echo x > /mnt/x || echo refused')).toContain('refused')
    shell.close()
    await hosts.close()

    expect(textOf(files['user-data'])).toBe(userData)
    expect(JSON.parse(textOf(files['meta-data']))).toEqual({
      'instance-id': web,
      'local-hostname': 'web-1',
      'public-keys': keys,
    })
    expect(JSON.parse(textOf(files['network-config']))).toEqual({
      version: 2,
      ethernets: {
        nic0: { match: { macaddress: 'a8:40:25:f0:00:0a' }, 'set-name': 'nic0', dhcp4: true },
        nic1: {
          match: { macaddress: 'a8:40:25:f0:00:0b' },
          'set-name': 'nic1',
          dhcp6: true,
          'accept-ra': true,
        },
      },
    })

    const read = readByCloudInit(files)
    if (!read) return skip(lacks('the packages of cloud-init cannot be downloaded'))
    expect(read).toMatchObject({ id: web, hostname: 'web-1', keys, userData })
    // Each system has both interfaces by the names that they get, one with IPv4 and one with IPv6 alone.
    const { written } = read
    const both = { 'a8:40:25:f0:00:0a': 'nic0', 'a8:40:25:f0:00:0b': 'nic1' }
    expect(read.renamed).toEqual(both)
    expect(written.eni['etc/network/interfaces']).toContain(
      'iface nic0 inet dhcp\n\nauto nic1\niface nic1 inet6 dhcp\n',
    )
    expect(written.networkd).toEqual({
      'etc/systemd/network/10-cloud-init-nic0.network': expect.stringMatching(
        /0a\nName=nic0\n[^]*DHCP=ipv4\n/,
      ),
      'etc/systemd/network/10-cloud-init-nic1.network': expect.stringMatching(
        /0b\nName=nic1\n[^]*DHCP=ipv6\n/,
      ),
    })
    const [connections, scripts] = ['etc/NetworkManager/system-connections', 'etc/sysconfig/network-scripts']
    expect(written.network_manager).toEqual({
      [`${connections}/cloud-init-nic0.nmconnection`]: expect.stringMatching(/:0A\n\n\[ipv4\]\nmethod=auto/),
      [`${connections}/cloud-init-nic1.nmconnection`]: expect.stringMatching(/:0B\n\n\[ipv6\]\nmethod=auto/),
    })
    expect(written.sysconfig).toMatchObject({
      [`${scripts}/ifcfg-nic0`]: expect.stringMatching(
        /BOOTPROTO=dhcp\nDEVICE=nic0\nHWADDR=a8:40:25:f0:00:0a\n/,
      ),
      [`${scripts}/ifcfg-nic1`]: expect.stringMatching(
        /DEVICE=nic1\nDHCPV6C=yes\nHWADDR=a8:40:25:f0:00:0b\n/,
      ),
    })
    expect(written.netplan['etc/netplan/50-cloud-init.yaml']).toMatch(
      /nic0:\n +dhcp4: true\n[^]*set-name: nic0\n[^]*dhcp6: true\n[^]*set-name: nic1\n/,
    )
  },
)

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
