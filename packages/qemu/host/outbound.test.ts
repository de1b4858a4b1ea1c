/** A guest that reaches the outside, and no address of its host: one boot. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { inside, ip, run } from '@purlin/netns/kernel/commands'
import { whyNoNetworks } from '@purlin/netns/testing/packets'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { findMachine } from '../machine/launch.ts'
import { findProcess, killProcess } from '../machine/process.ts'
import { whyNoUplink } from '../machine/uplink.ts'
import { buildGuest, noGuest } from '../testing/guest.ts'
import { hasBoxes, whyNoQemu } from '../testing/qemu.ts'
import { openShell, type GuestShell } from '../testing/shell.ts'
import { createQemuHost, type QemuHost, type QemuHostOptions } from './host.ts'

const MiB = 1024 ** 2
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const outside = `purlin-beyond-${process.pid}`
const [near, far] = ['198.51.100.1', '198.51.100.2']
const noUplink = hasBoxes ? await whyNoUplink() : 'bubblewrap cannot make boxes here'
/** Another network is made by root only. */
const noOutside = whyNoNetworks()

describe.skipIf(lacks(whyNoQemu || noUplink))('a guest with an uplink', { timeout: 300_000 }, () => {
  const web = randomUUID()
  let folder: string
  let options: QemuHostOptions
  let host: QemuHost
  let sledId: string
  let shell: GuestShell | undefined
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.end('a service of the host')
  })
  const at = () => join(folder, 'host', web)
  const uplink = () => findProcess('--disable-host-loopback', at())
  const read = (address: string, port: number) =>
    shell?.type(`nc -w 3 ${address} ${port} </dev/null || echo no answer`)

  async function begin(): Promise<void> {
    host = await createQemuHost(options)
    sledId = (await host.hardware()).sleds[0]?.id ?? ''
  }

  beforeAll(async () => {
    if (noOutside === false) {
      await run('ip', ['netns', 'add', outside])
      const ends = ['type', 'veth', 'peer', 'name', 'far0', 'netns', outside]
      await ip(null, 'link', 'add', 'near0', ...ends)
      await ip(null, 'addr', 'add', `${near}/24`, 'dev', 'near0')
      await ip(null, 'link', 'set', 'near0', 'up')
      await ip(outside, 'addr', 'add', `${far}/24`, 'dev', 'far0')
      await ip(outside, 'link', 'set', 'far0', 'up')
    }
    server.listen(0, '0.0.0.0')
    await once(server, 'listening')
    folder = mkdtempSync(join(tmpdir(), 'purlin-outbound-'))
    mkdirSync(join(folder, 'blobs'))
    const kernel = buildGuest()
    options = {
      folder: join(folder, 'host'),
      owner: 'a database',
      blobs: join(folder, 'blobs'),
      accelerator: 'tcg',
      hasBoxes,
      hasUplink: true,
      network: 'outbound',
      clock: realClock,
      log,
      ...(kernel ? { kernel } : {}),
    }
    await begin()
  }, 300_000)
  afterAll(async () => {
    shell?.close()
    server.close()
    await host.close()
    for (const process of [await findMachine(at()), await uplink()]) if (process) await killProcess(process)
    if (noOutside === false) await run('ip', ['netns', 'del', outside])
    rmSync(folder, { recursive: true, force: true })
  })

  it('reaches no address of the host, also after the server has started again', async ({ skip }) => {
    if (!buildGuest()) return skip(lacks(noGuest))
    const spec = { ...exampleSpec(sledId), ncpus: 1, memory: 128 * MiB, bootDiskId: null, disks: [] }
    await host.ensure(web, { ...spec, cpuPlatform: 'host' })
    await vi.waitFor(async () => expect((await host.inspect(web, sledId))?.state).toBe('running'), 60_000)
    const first = await uplink()
    expect(first).toBeDefined()
    await host.close()
    await begin()
    expect(await uplink()).toEqual(first)

    shell = await openShell(host, { id: web, sledId })
    expect(
      await shell.type('ip link set eth0 up; udhcpc -i eth0 -n -q -t 20 -T 1; ip addr show eth0'),
    ).toContain('inet 10.0.2.15/24')
    // The guest sends to addresses that belong to itself otherwise.
    await shell.type(
      'ip link set lo down; echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet; ip route add 127.0.0.1 via 10.0.2.2',
    )
    const { port } = server.address() as AddressInfo
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
    const ofHost = own.flatMap(({ family, address }) => (family === 'IPv4' ? [address] : []))
    for (const address of new Set(['10.0.2.2', '10.0.2.3', '198.18.87.2', '198.18.87.3', ...ofHost]))
      expect([address, await read(address, port)]).toEqual([address, expect.stringContaining('no answer')])
    expect(connections).toBe(0)
  })

  it.skipIf(lacks(noOutside))('reaches the outside', async ({ skip }) => {
    if (!buildGuest()) return skip(lacks(noGuest))
    const script = 'import socketserver as s; H=type("H",(s.StreamRequestHandler,),'
    const handle = '{"handle":lambda self: self.wfile.write(b"from the outside")}); '
    const serving = inside(outside, [
      'python3',
      '-c',
      `${script}${handle}v=s.TCPServer(("${far}",8080),H); v.timeout=120; v.handle_request()`,
    ])
    await vi.waitFor(async () => {
      expect(await inside(outside, ['ss', '-ltn'])).toContain(':8080')
    }, 60_000)
    expect(await read(far, 8080)).toContain('from the outside')
    await serving
  })

  it('leaves no process behind', async () => {
    await host.remove(web, sledId, 1)
    await vi.waitFor(async () => expect(await host.inspect(web, sledId)).toBeNull(), 60_000)
    expect(await uplink()).toBeUndefined()
  })
})
