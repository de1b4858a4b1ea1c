/** Guests on the networks of the kernel: three boots. */
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  SledUnreachable,
  type NetworkInterface,
  type NetworkRule,
  type SledNetwork,
  type VmSpec,
} from '@purlin/core/ports'
import { inside, ip, run } from '@purlin/netns/kernel/commands'
import { namespaces } from '@purlin/netns/kernel/namespaces'
import { KernelNetworks } from '@purlin/netns/kernel/networks'
import { whyNoNetworks } from '@purlin/netns/testing/packets'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { findMachine } from '../machine/launch.ts'
import { killProcess } from '../machine/process.ts'
import { buildGuest } from '../testing/guest.ts'
import { hasBoxes, whyNoQemu } from '../testing/qemu.ts'
import { openShell, type GuestShell } from '../testing/shell.ts'
import { createQemuHost, type QemuHost } from './host.ts'

const MiB = 1024 ** 2
const outside = `purlin-world-${process.pid}`
const scope = `g${process.pid}`.slice(0, 8)
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
/** An address of the host. */
const management = '192.0.2.1'

interface Guest {
  vpc: 'blue' | 'red'
  ip: string
  mac: string
  external: string | null
}
/** Two VPCs, of which each has the first address. */
const guests = {
  web: { vpc: 'blue', ip: '10.0.0.5', mac: 'A8:40:25:F0:00:01', external: '203.0.113.1' },
  peer: { vpc: 'blue', ip: '10.0.0.6', mac: 'A8:40:25:F0:00:02', external: '203.0.113.3' },
  twin: { vpc: 'red', ip: '10.0.0.5', mac: 'A8:40:25:F0:01:01', external: '203.0.113.2' },
} as const satisfies Record<string, Guest>
type Name = keyof typeof guests
const names = ['web', 'peer', 'twin'] as const
const ids = { web: randomUUID(), peer: randomUUID(), twin: randomUUID() }
const nicOf = (name: Name) => `nic-${ids[name]}`

const allow = (port: number, hosts: NetworkRule['hosts']): NetworkRule => ({
  id: 'rule',
  name: 'rule',
  direction: 'inbound',
  action: 'allow',
  priority: 1,
  hosts,
  protocols: [
    { type: 'tcp', ports: [{ first: port, last: port }] },
    { type: 'icmp', icmpType: null, codes: null },
  ],
})

/** Guests of a VPC reach each other at port 80. */
function networkOf(vpc: Guest['vpc'], version: number, rules: NetworkRule[]): SledNetwork {
  const interfaces = names
    .filter((name) => guests[name].vpc === vpc)
    .map((name): NetworkInterface => {
      const { ip: address, mac, external } = guests[name]
      const as = { kind: 'floating' as const, ip: external, firstPort: 0, lastPort: 65_535 }
      return {
        id: nicOf(name),
        owner: 'instance',
        instanceId: ids[name],
        mac,
        ip: address,
        subnet: '10.0.0.0/24',
        slot: 0,
        primary: true,
        transitIps: [],
        dhcp: { hostname: name, router: '10.0.0.1' },
        routes: 0,
        rules: rules.map((_, i) => i),
        nat: { inbound: [as], outbound: [{ gatewayId: `gateway-${vpc}`, addresses: [as] }] },
      }
    })
  const route = { id: 'route', name: 'route', routerId: 'router' }
  const routes: SledNetwork['routeSets'][number] = [
    { ...route, destination: '10.0.0.0/24', target: { type: 'local' } },
    { ...route, destination: '0.0.0.0/0', target: { type: 'gateway', id: `gateway-${vpc}` } },
  ]
  const peers = interfaces.map(({ ip: at, mac, dhcp }) => ({
    ip: at,
    mac,
    sledId: 'sled',
    hostname: dhcp.hostname,
  }))
  const vni = vpc === 'blue' ? 5_000 : 5_001
  return { vpcId: vpc, version, vni, zone: `${vpc}.internal`, rules, routeSets: [routes], peers, interfaces }
}

const why = whyNoQemu || whyNoNetworks()

describe.skipIf(lacks(why))('guests on networks of the kernel', { timeout: 300_000 }, () => {
  let folder: string
  let kernel: KernelNetworks
  let host: QemuHost
  let sledId: string
  const shells = new Map<Name, GuestShell>()
  const at = (name: Name): GuestShell => {
    const shell = shells.get(name)
    if (!shell) throw new Error(`${name} has no shell`)
    return shell
  }
  const fetched = async (name: Name, address: string, port = 80) =>
    at(name).type(`printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 2 ${address} ${port} || echo no answer`)
  const pings = async (name: Name, address: string, more = '') =>
    (await at(name).type(`ping -c 1 -W 1 ${more} ${address}`)).includes('1 packets received')
  /** A page as the outside gets it; null if there is no connection. */
  const fromOutside = (address: string) =>
    inside(outside, ['python3', '-c', script, address]).then(
      (text) => text.trim(),
      () => null,
    )
  const script =
    'import sys, urllib.request as r; print(r.urlopen(f"http://{sys.argv[1]}/", timeout=3).read().decode())'

  async function boot(name: Name): Promise<void> {
    const [disk] = exampleSpec(sledId).disks
    const spec: VmSpec = {
      ...exampleSpec(sledId),
      ncpus: 1,
      memory: 128 * MiB,
      cpuPlatform: 'host',
      nics: [{ id: nicOf(name), mac: guests[name].mac, slot: 0 }],
      disks: disk
        ? [{ ...disk, id: randomUUID(), size: MiB, layers: [{ id: randomUUID(), hasBytes: false }] }]
        : [],
      bootDiskId: null,
    }
    await host.ensure(ids[name], spec)
    const isRunning = async () => expect((await host.inspect(ids[name], sledId))?.state).toBe('running')
    await vi.waitFor(isRunning, { timeout: 60_000, interval: 20 })
    const shell = await openShell(host, { id: ids[name], sledId })
    shells.set(name, shell)
    await shell.type(
      `mkdir /www; echo page of ${name} > /www/index.html; httpd -p 80 -h /www; httpd -p 81 -h /www`,
    )
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'purlin-guests-'))
    // The names in it are read by another user.
    chmodSync(folder, 0o711)
    mkdirSync(join(folder, 'blobs'))
    await run('ip', ['netns', 'add', outside])
    await ip(outside, 'link', 'set', 'lo', 'up')
    await ip(outside, 'addr', 'add', management, 'dev', 'lo')
    const place = { scope, folder: join(folder, 'networks'), owner: process.getuid?.() ?? 0 }
    const beyond = { resolvers: [], external: null, reach: [], outside }
    kernel = await KernelNetworks.open({ ...place, ...beyond })
    const kernelOfGuest = buildGuest()
    host = await createQemuHost({
      folder: join(folder, 'host'),
      owner: 'a database',
      blobs: join(folder, 'blobs'),
      accelerator: 'tcg',
      hasBoxes,
      network: kernel,
      clock: realClock,
      log,
      ...(kernelOfGuest ? { kernel: kernelOfGuest } : {}),
    })
    sledId = (await host.hardware()).sleds[0]?.id ?? ''
    const anywhere = allow(80, null)
    await host.setNetwork(sledId, networkOf('blue', 1, [allow(80, { inside: true, nets: [] })]))
    await Promise.all(names.map((name) => boot(name)))
    // This one comes after its guest.
    await host.setNetwork(sledId, networkOf('red', 1, [anywhere]))
    for (const name of names) await at(name).type('ip link set eth0 up; udhcpc -i eth0 -n -q -t 20 -T 1')
  }, 300_000)
  afterAll(async () => {
    for (const shell of shells.values()) shell.close()
    await host.close()
    for (const id of readdirSync(join(folder, 'host'))) {
      const process = await findMachine(join(folder, 'host', id))
      if (process) await killProcess(process)
    }
    await kernel.clear()
    await run('ip', ['netns', 'del', outside])
    rmSync(folder, { recursive: true, force: true })
  })

  it('a guest gets its address, name and router by DHCP', async () => {
    expect((await host.hardware()).sleds[0]).toMatchObject({ networkMode: 'enforced' })
    expect(await at('peer').type('ip addr show eth0; hostname; ip route')).toMatch(
      /inet 10\.0\.0\.6\/24[^]*\npeer\r?\n[^]*default via 10\.0\.0\.1/,
    )
  })

  it('a guest finds another one of its VPC by its name', async () => {
    const asked = (name: string) => at('web').type(`nslookup ${name} 10.0.0.1`)
    expect(await asked('peer.blue.internal')).toMatch(/peer\.blue\.internal\s+Address: *10\.0\.0\.6/)
    expect(await asked('twin.blue.internal')).toContain('NXDOMAIN')
  })

  it('guests reach each other as the rules of their VPC say, and not those of another', async () => {
    expect(await fetched('peer', '10.0.0.5')).toContain('page of web')
    expect(await fetched('peer', '10.0.0.5', 81)).toContain('no answer')
    expect(await fetched('twin', '10.0.0.6')).toContain('no answer')
    const malformed = allow(81, { inside: true, nets: ['10.0.0.0/33'] })
    await expect(host.setNetwork(sledId, networkOf('blue', 2, [malformed]))).rejects.toThrow(SledUnreachable)
    expect(await host.networks(sledId)).toContainEqual({ vpcId: 'blue', version: 1 })
    await host.setNetwork(sledId, networkOf('blue', 2, [allow(81, { inside: true, nets: [] })]))
    expect(await fetched('peer', '10.0.0.5', 81)).toContain('page of web')
    expect(await fetched('peer', '10.0.0.5')).toContain('no answer')
  })

  it('the outside reaches a guest by its external address, if the rules say so', async () => {
    expect(await fromOutside('203.0.113.2')).toBe('page of twin')
    expect(await fromOutside('203.0.113.1')).toBeNull()
    expect(await fetched('peer', '203.0.113.2')).toContain('page of twin')
  })

  it('the traffic of a guest is counted as it sees it', async () => {
    const [before] = await kernel.traffic([nicOf('web'), 'of no guest'])
    expect(before?.nicId).toBe(nicOf('web'))
    expect(await at('peer').type('ping -c 1 -s 1400 10.0.0.5')).toContain('1 packets received')
    const [after] = await kernel.traffic([nicOf('web')])
    for (const way of ['sent', 'received'] as const)
      expect((after?.[way].bytes ?? 0) - (before?.[way].bytes ?? 0)).toBeGreaterThan(1_400)
    await vi.waitFor(async () => {
      const { machines } = await host.samples(sledId, null)
      const all = machines.filter(({ id }) => id === ids.web).flatMap(({ measures }) => measures)
      const own = all.find(({ kind, id }) => kind === 'instance_network_interface' && id === nicOf('web'))
      const sent = own?.series.find(({ metric }) => metric === 'bytes_sent')?.values.at(-1)
      expect(sent).toBeGreaterThanOrEqual(after?.sent.bytes ?? Infinity)
    }, 60_000)
  })

  it('no guest uses the address of another, or reaches the host', async () => {
    expect(await pings('peer', '10.0.0.5')).toBe(true)
    await at('peer').type('ip addr add 10.0.0.9/24 dev eth0')
    expect(await pings('peer', '10.0.0.5', '-I 10.0.0.9')).toBe(false)
    await at('peer').type(
      'ip link set eth0 down; ip link set eth0 address a8:40:25:f0:00:01; ip link set eth0 up',
    )
    await at('peer').type('ip route add default via 10.0.0.1')
    expect(await pings('peer', '10.0.0.5')).toBe(false)
    for (const address of [management, '10.0.0.1', '169.254.1.1'])
      expect(await pings('web', address)).toBe(false)
  })

  it('the devices of a machine end with it', async () => {
    const devices = () => ip('purlin-' + scope + '-red', 'link', 'show', 'type', 'tun')
    expect(await devices()).toMatch(/\bn[\da-f]{12}\b/)
    await host.remove(ids.twin, sledId, 1)
    await vi.waitFor(async () => expect(await host.inspect(ids.twin, sledId)).toBeNull(), { timeout: 60_000 })
    expect(await devices()).toBe('')
  })

  it('a host that is dropped has no networks', async () => {
    await host.dropSled(sledId)
    expect(await kernel.held()).toEqual([])
    expect((await namespaces()).filter((name) => name.startsWith(`purlin-${scope}-`))).toEqual([])
  })
})
