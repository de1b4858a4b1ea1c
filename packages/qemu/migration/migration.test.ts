import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import type { Layer, VmSpec, VmStatus } from '@purlin/core/ports'
import { openBlobs } from '@purlin/databases/blobs-in-files'
import { layerFile } from '@purlin/databases/layer-files'
import { web } from '@purlin/sleds/suite/suite-harness'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import type { QemuHostOptions } from '../host/host.ts'
import { buildGuest, noGuest } from '../testing/guest.ts'
import { cutWire, type Cut } from '../testing/cut-wire.ts'
import { tinyGuest } from '../testing/tiny-guest.ts'
import { whyNoQemu } from '../testing/qemu.ts'
import { openShell } from '../testing/shell.ts'
import { sharedFolder, smallSpec, type SharedHost } from '../testing/shared-hosts.ts'

const patient = { timeout: 120_000, interval: 20 }
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const empty = (): Layer => ({ id: randomUUID(), hasBytes: false })
const written = ({ id }: Layer): Layer => ({ id, hasBytes: true })

let shared: ReturnType<typeof sharedFolder>
let one: SharedHost
let two: SharedHost
let seen: VmStatus[]

const arrivals = { host: '127.0.0.1', port: 0 }
async function begin(more: Partial<QemuHostOptions> = {}) {
  one = await shared.open('one', { arrivals, ...more })
  two = await shared.open('two', { arrivals, ...more })
  seen = []
  for (const { host } of [one, two]) host.watch((status) => seen.push(status))
}
const stateAt = async ({ host, sledId }: SharedHost) => (await host.inspect(web, sledId))?.state ?? null
const reach = (at: SharedHost, state: string | null) =>
  vi.waitFor(async () => expect(await stateAt(at)).toBe(state), patient)

async function run(layers: readonly Layer[]) {
  const spec = smallSpec(one.sledId, layers)
  await one.host.ensure(web, spec)
  await reach(one, 'running')
  return spec
}

/** Asks both hosts, as a server does. */
async function move(id: string, spec: VmSpec, [from, to] = [one, two], cut?: Cut) {
  const migration = { id, to: to.sledId, spec: { ...spec, sledId: from.sledId } }
  const at = await to.host.receive?.(web, migration)
  const wire = at && cut && (await cutWire(at.port, cut))
  await from.host.migrate(web, {
    ...migration,
    ...(at ? { at: { ...at, port: wire?.port ?? at.port } } : {}),
  })
  return wire
}

/** A machine that echoes what is typed. */
async function runTiny() {
  const layer = empty()
  writeFileSync(layerFile(shared.blobs, layer.id, 'data'), tinyGuest())
  const spec = smallSpec(one.sledId, [written(layer)], { memory: 32 * 1024 ** 2 })
  await one.host.ensure(web, spec)
  await reach(one, 'running')
  await vi.waitFor(async () => expect(await shownAt(one)).toContain('tiny guest'), patient)
  return spec
}

async function shownAt({ host, sledId }: SharedHost): Promise<string> {
  const chunk = await host.readConsole(web, sledId, { from: 0, max: 65_536 })
  return chunk === null || chunk === 'dropped' ? '' : text(chunk.data)
}

/** Types a letter, which the guest echoes. */
async function expectAlive(at: SharedHost, letter: string) {
  const stream = await at.host.openConsole(
    { id: web, sledId: at.sledId },
    { last: 0 },
    {
      data: () => undefined,
      closed: () => undefined,
    },
  )
  const before = (await shownAt(at)).length
  stream?.write(new TextEncoder().encode(letter))
  await vi.waitFor(async () => expect((await shownAt(at)).slice(before)).toBe(letter), patient)
  stream?.close()
}

/** Waits until a migration has ended: one host runs the machine, and the other one has nothing of it. Returns both. */
function untilOnce(migration: string, from: SharedHost): Promise<[at: SharedHost, other: SharedHost]> {
  return vi.waitFor(async () => {
    const other = from === one ? two : one
    const [here, there] = [
      await from.host.inspect(web, from.sledId),
      await other.host.inspect(web, other.sledId),
    ]
    const at = there ? other : from
    expect(here === null || there === null).toBe(true)
    const status = here ?? there
    expect(status?.state, status?.reason).toBe('running')
    if (here) expect(here.failedMigration?.id).toBe(migration)
    expect(await (there ? from : other).processOf(web)).toBeUndefined()
    return [at, there ? from : other]
  }, patient)
}

beforeEach(() => {
  shared = sharedFolder()
})
afterEach(() => shared.close())

describe.skipIf(lacks(whyNoQemu))('a machine that moves between hosts', { timeout: 300_000 }, () => {
  it('goes on where it was, with its disks and its console, there and back', async ({ skip }) => {
    const kernel = buildGuest()
    if (!kernel) return skip(lacks(noGuest))
    await begin({ kernel })
    const blobs = openBlobs(shared.blobs)
    const [low, top] = [empty(), empty()]
    const spec = await run([low])
    const guest = await openShell(one.host, { id: web, sledId: one.sledId })
    const write = (word: string) => `echo ${word} | dd of=/dev/vda bs=512 conv=fsync,sync,notrunc 2>/dev/null`
    const read = 'dd if=/dev/vda bs=512 count=1 2>/dev/null | head -n 1'
    await guest.type(write('one'))
    await one.host.setLayers(web, one.sledId, {
      boot: 1,
      storage: 1,
      disks: spec.disks.map(({ id }) => ({ id, layers: [top, written(low)] })),
    })
    await guest.type(write('two'))
    await guest.type('(while :; do echo >>/count; usleep 20000; done) & :')
    const count = async (shell: typeof guest) => Number(await shell.type('wc -l </count'))
    const before = await count(guest)
    const first = await one.processOf(web)

    // A larger size that was asked for on the way is given by the other host.
    const disks = spec.disks.map((disk) => ({ ...disk, size: 2 * disk.size }))
    await move('there', { ...spec, disks })
    await reach(two, 'running')
    await reach(one, null)
    expect(await one.processOf(web)).toBeUndefined()
    expect(await two.host.inspect(web, two.sledId)).toMatchObject({ boot: 1, reset: 0, storage: 1 })
    const there = await openShell(two.host, { id: web, sledId: two.sledId })
    expect(there.output()).toContain(guest.output())
    expect(await count(there)).toBeGreaterThan(before)
    expect(await there.type(read)).toBe('two')
    await there.type(write('three'))
    const sectors = async (shell: typeof guest) => Number(await shell.type('cat /sys/block/vda/size'))
    const small = await sectors(there)
    await two.host.setLayers(web, two.sledId, {
      boot: 1,
      storage: 2,
      disks: disks.map(({ id, size }) => ({ id, size, layers: [top, low].map(written) })),
    })
    expect(await sectors(there)).toBe(2 * small)

    await move('back', { ...spec, disks, storage: 2 }, [two, one])
    await reach(one, 'running')
    await reach(two, null)
    expect(await one.processOf(web)).not.toEqual(first)
    const again = await openShell(one.host, { id: web, sledId: one.sledId })
    expect(again.output()).toContain(there.output())
    expect(await again.type(read)).toBe('three')
    expect(await sectors(again)).toBe(2 * small)
    expect(seen.map(({ state }) => state)).not.toContain('stopped')
    await one.host.shutDown(web, one.sledId, 1)
    await reach(one, 'stopped')
    const firstLine = async (...layers: Layer[]) =>
      text(await blobs.read(layers.map(written), 0, 512)).split('\n')[0]
    expect(await firstLine(top, low)).toBe('three')
    expect(await firstLine(low)).toBe('one')
    expect(existsSync(layerFile(shared.blobs, top.id, 'qcow2'))).toBe(false)
  })

  it('goes on if the process of a host ends on its way, and can be moved again', async () => {
    await begin()
    const spec = await runTiny()
    const held = async (id: string, hosts: [SharedHost, SharedHost]) => {
      const wire = await move(id, spec, hosts, { there: 200_000, holds: true })
      await vi.waitFor(() => expect(wire?.carried.there).toBeGreaterThan(200_000), patient)
      return wire
    }
    const first = await held('first', [one, two])
    await one.host.close()
    one = await shared.open('one', { arrivals })
    first?.close()
    await reach(one, 'running')
    expect((await one.host.inspect(web, one.sledId))?.failedMigration).toBeUndefined()
    await vi.waitFor(async () => expect(await two.processOf(web)).toBeUndefined(), patient)
    // Any server asks for the same again.
    await move('first', spec)
    await reach(two, 'running')
    await reach(one, null)
    await expectAlive(two, 'b')

    const second = await held('second', [two, one])
    await one.host.close()
    second?.close()
    await untilOnce('second', two)
    one = await shared.open('one', { arrivals })
    expect(await one.host.machines(one.sledId)).toEqual([])
    await expectAlive(two, 'c')

    const third = await held('third', [two, one])
    await two.host.remove(web, two.sledId, 1)
    await reach(two, null)
    third?.close()
    for (const at of [one, two])
      await vi.waitFor(async () => expect(await at.processOf(web)).toBeUndefined(), patient)
    expect(await one.host.machines(one.sledId)).toEqual([])
  })

  it('stays where it is if the other host cannot run it, with a reason', async () => {
    await begin()
    const spec = await runTiny()
    const whyNot = async (id: string, more: Partial<QemuHostOptions>) => {
      await two.host.close()
      two = await shared.open('two', { arrivals, ...more })
      await move(id, spec)
      await untilOnce(id, one)
      return (await one.host.inspect(web, one.sledId))?.failedMigration?.reason
    }
    expect(await whyNot('1', { accelerator: 'kvm' })).toContain('emulates machines')
    expect(await whyNot('2', { program: '/bin/false', hasBoxes: false })).toContain('QEMU has ended')
    expect(await whyNot('3', { kernel: { kernel: '/absent', initrd: '/absent', commandLine: '' } })).toMatch(
      /./,
    )
    // A server that does not reach the other host.
    await one.host.migrate(web, { id: '4', to: two.sledId, spec })
    expect((await one.host.inspect(web, one.sledId))?.failedMigration?.reason).toContain('does not answer')
    await expectAlive(one, 'b')
    two = await shared.open('two', { arrivals })
    await move('5', spec)
    await reach(two, 'running')
    await expectAlive(two, 'c')
  })

  it('runs on one host, wherever the connection between the two breaks', async () => {
    await begin()
    const spec = await runTiny()
    let [from, to] = [one, two]
    let tries = 0
    const through = async (cut: Cut) => {
      const id = `migration ${++tries}`
      const before = from
      const wire = await move(id, spec, [from, to], cut)
      ;[from, to] = await untilOnce(id, from)
      await expectAlive(from, 'abcdefghijklmnopqrst'.charAt(tries))
      wire?.close()
      return { hasMoved: from !== before, carried: wire?.carried ?? { there: 0, back: 0 } }
    }
    const { carried, hasMoved } = await through({})
    expect(hasMoved).toBe(true)
    const { there, back } = carried
    for (const part of [0, 0.02, 0.5])
      expect(await through({ there: Math.round(there * part) })).toMatchObject({ hasMoved: false })
    // About when it is handed over: the memory does not always have the same length.
    for (const less of [200, 40, 20, 1, -100]) await through({ there: there - less })
    // The last words of the other host are lost: it runs there, and this host asks again.
    expect(await through({ back: back - 1 })).toMatchObject({ hasMoved: true })
    expect(await through({ back: 0 })).toMatchObject({ hasMoved: false })
    expect(await through({})).toMatchObject({ hasMoved: true })
    expect(await shownAt(from)).toContain('bcdefghijk')
    expect(seen.map(({ state }) => state)).not.toContain('failed')
  })
})
