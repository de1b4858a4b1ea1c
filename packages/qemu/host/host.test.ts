import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SledUnreachable, type Layer, type VmSpec, type VmState, type VmStatus } from '@purlin/core/ports'
import { openBlobs } from '@purlin/databases/blobs-in-files'
import { layerFile } from '@purlin/databases/layer-files'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { filesIn } from '../machine/context.ts'
import { findMachine } from '../machine/launch.ts'
import { killProcess } from '../machine/process.ts'
import { readRecord, writeRecord } from '../machine/record.ts'
import { buildGuest, noGuest } from '../testing/guest.ts'
import { endMachines } from '../testing/machines.ts'
import { openShell } from '../testing/shell.ts'
import { hasBoxes, whyNoQemu } from '../testing/qemu.ts'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { answerMs, openQmp } from '../qmp/qmp.ts'
import { adoptMs, createQemuHost, type QemuHost, type QemuHostOptions } from './host.ts'

const MiB = 1024 ** 2
const web = '6a1f0c52-7c1e-4f0b-9d43-0d4a3c1b8e01'
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const empty = (): Layer => ({ id: randomUUID(), hasBytes: false })
const written = ({ id }: Layer): Layer => ({ id, hasBytes: true })

let folder: string
let host: QemuHost
let sledId: string
let seen: VmStatus[]
let options: QemuHostOptions

/** A server begins: it takes over the machines of the one before. */
async function begin(more: Partial<QemuHostOptions> = {}) {
  options = { ...options, ...more }
  host = await createQemuHost(options)
  seen = []
  host.watch((status) => seen.push(status))
  sledId = (await host.hardware()).sleds[0]?.id ?? ''
}

const blobsFolder = () => join(folder, 'blobs')
const processOf = (id = web) => findMachine(join(folder, 'host', id))
const states = () => seen.map(({ state }) => state).filter((state, i, all) => state !== all[i - 1])
const reach = (state: VmState | null) =>
  vi.waitFor(async () => expect((await host.inspect(web, sledId))?.state ?? null).toBe(state), {
    timeout: 60_000,
    interval: 20,
  })

/** A small machine with one disk. */
const specOf = (layers: readonly Layer[], more: Partial<VmSpec> = {}): VmSpec => {
  const spec = exampleSpec(sledId)
  const disks = spec.disks.map((disk) => ({ ...disk, size: 64 * MiB, layers }))
  return { ...spec, ncpus: 1, memory: 128 * MiB, cpuPlatform: 'host', disks, ...more }
}
const on = (spec: VmSpec, storage: number, layers: readonly Layer[]) => ({
  boot: spec.boot,
  storage,
  disks: spec.disks.map(({ id }) => ({ id, layers })),
})

async function run(layers: readonly Layer[], more: Partial<VmSpec> = {}) {
  const spec = specOf(layers, more)
  await host.ensure(web, spec)
  await reach('running')
  return spec
}

const shell = () => openShell(host, { id: web, sledId })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-host-'))
  mkdirSync(blobsFolder())
  options = {
    folder: join(folder, 'host'),
    owner: 'a database',
    blobs: blobsFolder(),
    accelerator: 'tcg',
    hasBoxes,
    network: 'none',
    clock: realClock,
    log,
  }
})
afterEach(async () => {
  await host.close()
  await endMachines(join(folder, 'host'))
  rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(lacks(whyNoQemu))('a host with QEMU', { timeout: 300_000 }, () => {
  it('starts, resets and removes a machine, with a report of each, and ignores older boots and resets', async () => {
    const timers: number[] = []
    const after = (ms: number, fn: () => void) => {
      timers.push(ms)
      return realClock.after(ms, fn)
    }
    await begin({ clock: { ...realClock, after } })
    const spec = await run([empty()])
    await host.ensure(web, spec)
    const looks = () => timers.filter((ms) => ms < 100).length
    const before = looks()
    await Promise.all([1, 2].map((reset) => host.ensure(web, { ...spec, reset })))
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ state: 'running', reset: 2 }), 60_000)
    // Nothing looks again and again while it runs.
    expect(looks()).toBe(before)
    // The next process of the server does not repeat the second one, which came while the first one was done.
    await vi.waitFor(
      async () => expect((await readRecord(join(folder, 'host', web)))?.spec.reset).toBe(2),
      60_000,
    )
    await host.ensure(web, { ...spec, boot: 0, reset: 9 })
    await host.migrate(web, { id: 'm', to: 'elsewhere', spec })
    expect(await host.inspect(web, sledId)).toMatchObject({ state: 'running', failedMigration: { id: 'm' } })
    expect(await host.machines(sledId)).toEqual([{ id: web, boot: 1, state: 'running' }])
    await Promise.all([host.remove(web, sledId, 1), host.remove(web, sledId, 1)])
    await reach(null)
    await vi.waitFor(() => expect(states().at(-1)).toBe('stopped'), 60_000)
    expect(states()).toEqual(['starting', 'running', 'rebooting', 'running', 'stopping', 'stopped'])
    expect(await processOf()).toBeUndefined()
    await expect(host.ensure(web, { ...spec, sledId: randomUUID() })).rejects.toThrow(SledUnreachable)
  })

  it('takes no id or address that would be another path or option', async () => {
    await begin()
    const spec = specOf([empty()])
    const [nic] = spec.nics
    const wrong = [
      host.ensure('../../blobs', spec),
      host.ensure(web, specOf([{ id: '../../x', hasBytes: false }])),
      host.ensure(web, { ...spec, nics: [{ ...nic!, mac: '00:00:00:00:00:00,romfile=/x' }] }),
      host.setLayers(web, sledId, on(spec, 1, [{ id: '../x', hasBytes: false }])),
    ]
    for (const one of wrong) await expect(one).rejects.toThrow('malformed')
    expect(await host.machines(sledId)).toEqual([])
    expect(existsSync(blobsFolder())).toBe(true)
  })

  it('a host that was dropped ends its machines and comes back as another one, and a halted guest has failed', async () => {
    await begin()
    await run([empty()])
    await host.dropSled(sledId)
    await vi.waitFor(() => expect(states().at(-1)).toBe('stopped'), 60_000)
    expect(await processOf()).toBeUndefined()
    expect((await host.hardware()).sleds).toEqual([])
    const [board] = (await host.hardware()).uninitialized
    // Another machine may have the same board, as one without a serial number or a copy.
    const joined = { folder: join(folder, 'joined'), isPart: false, hostId: web }
    const other = await createQemuHost({ ...options, ...joined })
    const [its] = (await other.hardware()).uninitialized
    expect(its).toEqual({
      ...board,
      rackId: its?.rackId,
      serial: `${board?.serial.slice(0, 40)}-${web.slice(-8)}`,
    })
    expect(await other.addSled({ part: board?.part ?? '', serial: board?.serial ?? '' })).toBeNull()
    await other.close()
    const added = await host.addSled({ part: board?.part ?? '', serial: board?.serial ?? '' })
    expect(added?.id).not.toBe(sledId)
    expect(added?.sharedStorage).toBeGreaterThan(0)
    sledId = added?.id ?? ''
    expect(await host.machines(sledId)).toEqual([])

    // A record of the host before, which the end of the server has left.
    const spec = await run([empty()])
    const first = await processOf()
    await host.close()
    const inFolder = join(folder, 'host', web)
    const record = await readRecord(inFolder)
    if (record) await writeRecord(inFolder, { ...record, spec: { ...spec, sledId: randomUUID() } })
    await begin()
    await reach(null)
    expect(await processOf()).not.toEqual(first)

    await run([empty()])
    await host.close()
    const qmp = await openQmp({
      path: filesIn(join(folder, 'host', web)).qmp,
      clock: realClock,
      isAlive: () => true,
      on: { event: () => undefined, end: () => undefined },
    })
    await qmp.run('stop')
    qmp.close()
    await begin()
    await reach('failed')
    expect(await host.inspect(web, sledId)).toMatchObject({ reason: 'QEMU has halted the guest: paused' })
  })

  it('a machine that is removed while it starts never runs, and a newer boot replaces one', async () => {
    await begin()
    const spec = specOf([empty()])
    await host.ensure(web, spec)
    await host.remove(web, sledId, 1)
    await reach(null)
    expect(states()).not.toContain('running')
    await run([empty()], { boot: 2 })
    await host.ensure(web, { ...spec, boot: 3 })
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ boot: 3, state: 'running' }), 60_000)
    const ofThird = seen.slice(seen.findIndex(({ boot }) => boot === 3))
    expect(ofThird.map(({ state }) => state)).toEqual(['starting', 'running'])
  })

  it('fails in words if QEMU cannot start or bytes are missing, and a failed boot is not started again', async () => {
    await begin()
    const spec = specOf([empty()], { memory: 2 ** 46 })
    await host.ensure(web, spec)
    await reach('failed')
    expect(await host.inspect(web, sledId)).toMatchObject({ reason: 'the host has too little free memory' })
    await host.ensure(web, { ...spec, reset: 1 })
    expect(await host.inspect(web, sledId)).toMatchObject({ state: 'failed' })
    await host.ensure(web, specOf([written(empty())], { boot: 2 }))
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ boot: 2, state: 'failed' }), 60_000)
    expect(seen.at(-1)?.reason).toContain('bytes are missing')
    await host.remove(web, sledId, 2)
    await reach(null)
  })

  it('a machine outlives the server, and the next one knows how machines have ended', async () => {
    await begin()
    const [low, top] = [empty(), empty()]
    const spec = await run([top, low])
    const process = await processOf()
    await host.close()
    await begin()
    expect(await host.inspect(web, sledId)).toMatchObject({ boot: 1, state: 'running' })
    expect(await processOf()).toEqual(process)
    // The folder has another path now.
    await host.close()
    symlinkSync(join(folder, 'host'), join(folder, 'alias'))
    await begin({ folder: join(folder, 'alias') })
    expect(await host.inspect(web, sledId)).toMatchObject({ boot: 1, state: 'running' })
    await host.close()
    await begin({ folder: join(folder, 'host') })
    if (process) await killProcess(process)
    await reach('failed')
    expect(existsSync(layerFile(blobsFolder(), top.id, 'qcow2'))).toBe(false)
    await host.close()
    await begin()
    expect(await host.inspect(web, sledId)).toMatchObject({ state: 'failed' })
    await expect(createQemuHost({ ...options, owner: 'another' })).rejects.toThrow(
      'belong to another database',
    )
    await host.ensure(web, { ...spec, boot: 2 })
    await reach('running')
    await host.close()
    const second = await processOf()
    if (second) await killProcess(second)
    await begin()
    expect(await host.inspect(web, sledId)).toMatchObject({ boot: 2, state: 'failed' })
  })

  it('a machine from before there were folders of sockets and of links is taken over, and gets new layers', async () => {
    await begin({ hasBoxes: false })
    const first = empty()
    const spec = await run([first])
    await host.close()
    const own = join(folder, 'host', web)
    for (const name of ['qmp', 'serial']) renameSync(join(own, 'run', name), join(own, name))
    for (const name of ['run', 'read', 'written']) rmSync(join(own, name), { recursive: true })
    await begin()
    expect(await host.inspect(web, sledId)).toMatchObject({ boot: 1, state: 'running' })
    await host.setLayers(web, sledId, on(spec, 1, [empty(), written(first)]))
    expect(await host.inspect(web, sledId)).toMatchObject({ state: 'running', storage: 1 })
    await host.ensure(web, { ...spec, boot: 2 })
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ boot: 2, state: 'running' }), 60_000)
    expect(existsSync(join(own, 'qmp'))).toBe(false)
  })

  it('a machine that does not answer keeps neither the server nor its next boot from starting', async () => {
    await begin()
    const [low, top] = [empty(), empty()]
    const spec = await run([top, low])
    const first = await processOf()
    await host.close()
    process.kill(first?.pid ?? 0, 'SIGSTOP')
    let giveUp = () => {}
    const after = (ms: number, fn: () => void) => {
      if (ms === adoptMs) return realClock.after(0, fn)
      if (ms !== answerMs) return realClock.after(ms, fn)
      giveUp = fn
      return () => undefined
    }
    await begin({ clock: { ...realClock, after } })
    await expect(host.inspect(web, sledId)).rejects.toThrow(SledUnreachable)
    await expect(host.ensure(web, { ...spec, reset: 1 })).rejects.toThrow(SledUnreachable)
    expect(await host.machines(sledId)).toHaveLength(1)
    await vi.waitFor(async () => {
      giveUp()
      expect(await host.inspect(web, sledId)).toMatchObject({
        state: 'failed',
        reason: 'QEMU does not answer',
      })
    }, 60_000)
    await host.close()

    // Its record is lost, so nothing knows of its process.
    await begin({ clock: realClock })
    await host.ensure(web, { ...spec, boot: 2 })
    await reach('running')
    const second = await processOf()
    await host.close()
    writeFileSync(join(folder, 'host', web, 'machine.json'), '{')
    await begin()
    expect(await host.inspect(web, sledId)).toBeNull()
    await host.ensure(web, { ...spec, boot: 3 })
    await reach('running')
    expect(await processOf()).not.toEqual(second)
    expect(await host.inspect(web, sledId)).toMatchObject({ boot: 3 })
  })

  it('a switch of layers that the end of a server has broken off is confirmed or repeated', async () => {
    await begin()
    const [first, second, third] = [empty(), empty(), empty()]
    const spec = await run([first])
    const inFolder = join(folder, 'host', web)
    const next = (storage: number, ...layers: Layer[]) => ({
      storage,
      disks: spec.disks.map((disk) => ({ ...disk, layers })),
    })
    await host.setLayers(web, sledId, on(spec, 1, [second, written(first)]))
    // The switch was done, but not recorded.
    await host.close()
    await writeRecord(inFolder, { spec, next: next(1, second, written(first)) })
    await begin()
    expect(await host.inspect(web, sledId)).toMatchObject({ storage: 1, state: 'running' })
    // It was recorded, but not done.
    await host.close()
    const record = await readRecord(inFolder)
    if (record)
      await writeRecord(inFolder, { ...record, next: next(2, third, written(second), written(first)) })
    await begin()
    expect(await host.inspect(web, sledId)).toMatchObject({ storage: 1, state: 'running' })
    for (let times = 0; times < 2; times++)
      await host.setLayers(web, sledId, on(spec, 2, [third, written(second), written(first)]))
    expect(await host.inspect(web, sledId)).toMatchObject({ storage: 2, state: 'running' })
    const hasTables = ({ id }: Layer) => existsSync(layerFile(blobsFolder(), id, 'qcow2'))
    expect([first, second, third].map(hasTables)).toEqual([false, false, true])
    // The third one cannot be settled at first. QEMU writes to the fourth: its tables stay as they are.
    const fourth = empty()
    const to = on(spec, 3, [fourth, ...[third, second, first].map(written)])
    const map = layerFile(blobsFolder(), third.id, 'map')
    renameSync(map, `${map}.away`)
    await expect(host.setLayers(web, sledId, to)).rejects.toThrow('ENOENT')
    const tables = () => statSync(layerFile(blobsFolder(), fourth.id, 'qcow2')).mtimeMs
    const before = tables()
    expect(await host.inspect(web, sledId)).toMatchObject({ storage: 2, state: 'running' })
    await host.close()
    await begin()
    expect(await host.inspect(web, sledId)).toMatchObject({ storage: 2, state: 'running' })
    renameSync(`${map}.away`, map)
    await host.setLayers(web, sledId, to)
    expect(await host.inspect(web, sledId)).toMatchObject({ storage: 3, state: 'running' })
    expect(tables()).toBe(before)
    expect([third, fourth].map(hasTables)).toEqual([false, true])
    // A larger size was recorded, but QEMU has not been given it.
    await host.close()
    const kept = await readRecord(inFolder)
    const disks = kept?.spec.disks.map((disk) => ({ ...disk, size: 2 * disk.size })) ?? []
    if (kept) await writeRecord(inFolder, { ...kept, next: { storage: 4, disks } })
    await begin()
    expect(await host.inspect(web, sledId)).toMatchObject({ storage: 4, state: 'running' })
    expect(statSync(layerFile(blobsFolder(), fourth.id, 'data')).size).toBe(disks[0]?.size)
    await host.remove(web, sledId, 1)
    await reach(null)
    expect(hasTables(fourth)).toBe(false)
  })

  it('a guest writes to its layers, over snapshots, restarts of the server, a shutdown and a kill', async ({
    skip,
  }) => {
    const kernel = buildGuest()
    if (!kernel) return skip(lacks(noGuest))
    await begin({ kernel })
    const blobs = openBlobs(blobsFolder())
    const [first, second, third] = [empty(), empty(), empty()]
    const spec = await run([first])
    const guest = await shell()
    const write = (word: string) => `echo ${word} | dd of=/dev/vda bs=512 conv=fsync,sync,notrunc 2>/dev/null`
    const read = async (...layers: Layer[]) =>
      text(await blobs.read(layers.map(written), 0, 512)).split('\n')[0]
    await guest.type(write('one'))
    await host.setLayers(web, sledId, on(spec, 1, [second, written(first)]))
    expect(await host.inspect(web, sledId)).toMatchObject({ storage: 1 })
    await guest.type(write('two'))
    expect(await read(first)).toBe('one')
    await host.close()

    await begin()
    expect(await host.inspect(web, sledId)).toMatchObject({ storage: 1, state: 'running' })
    const again = await shell()
    expect(again.output()).toContain(guest.output())
    const firstLine = 'dd if=/dev/vda bs=512 count=1 2>/dev/null | head -n 1'
    expect(await again.type(firstLine)).toBe('two')
    await host.setLayers(web, sledId, on(spec, 2, [third, written(second), written(first)]))
    expect(await read(second, first)).toBe('two')
    await again.type(write('three'))
    const process = await processOf()
    if (process) await killProcess(process)
    await reach('failed')
    expect(await read(third, second, first)).toBe('three')
    expect(await read(second, first)).toBe('two')

    await run([third, second, first].map(written), { boot: 2, storage: 2 })
    const last = await shell()
    expect(await last.type(firstLine)).toBe('three')
    await host.shutDown(web, sledId, 2)
    await reach('stopped')
    expect(await host.inspect(web, sledId)).toMatchObject({ guestShutdown: true })
    expect(await read(first)).toBe('one')
  })
})
