/** Disks of a real guest that grow and are rolled back, byte for byte: four boots. */
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Layer, VmDisk, VmSpec } from '@purlin/core/ports'
import { openBlobs } from '@purlin/databases/blobs-in-files'
import { layerFile } from '@purlin/databases/layer-files'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { openLayers } from '../layers/layers.ts'
import { findMachine } from '../machine/launch.ts'
import { killProcess } from '../machine/process.ts'
import { imageOf } from '../testing/chains.ts'
import { buildGuest, noGuest } from '../testing/guest.ts'
import { clockWithLooks } from '../testing/looks.ts'
import { hasBoxes, whyNoQemu } from '../testing/qemu.ts'
import { openShell, type GuestShell } from '../testing/shell.ts'
import { createQemuHost, type QemuHost } from './host.ts'

const run = promisify(execFile)
const MiB = 1024 ** 2
// The last extent of the smaller one is not whole.
const [small, large, larger] = [MiB + 1536, 3 * MiB, 5 * MiB]
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const web = randomUUID()
const empty = (): Layer => ({ id: randomUUID(), hasBytes: false })
const written = ({ id }: Layer): Layer => ({ id, hasBytes: true })
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The bytes of a disk, the same in every run. */
function exampleBytes(word: string): Uint8Array {
  const bytes = Buffer.alloc(small)
  for (let at = 0; at < bytes.length; at += 32)
    createHash('sha256').update(`${word} ${at}`).digest().copy(bytes, at)
  return bytes
}

describe.skipIf(lacks(whyNoQemu))('disks that grow and are rolled back', { timeout: 300_000 }, () => {
  let folder: string
  let host: QemuHost
  let sledId: string
  let boot = 0
  let storage = 0
  let shell: GuestShell
  const { clock, look } = clockWithLooks()
  const blobsFolder = () => join(folder, 'blobs')
  const slots = ['vda', 'vdb'] as const
  const diskIds = slots.map(() => randomUUID())
  const disksOf = (chains: readonly (readonly Layer[])[], size: number): VmDisk[] =>
    chains.map((layers, slot) => ({
      id: diskIds[slot] ?? '',
      name: slots[slot] ?? '',
      size,
      blockSize: 512,
      slot,
      layers,
    }))

  async function start(chains: readonly (readonly Layer[])[], size: number) {
    const spec: VmSpec = {
      ...exampleSpec(sledId),
      boot: ++boot,
      storage,
      ncpus: 1,
      memory: 128 * MiB,
      cpuPlatform: 'host',
      bootDiskId: null,
      nics: [],
      disks: disksOf(chains, size),
    }
    await host.ensure(web, spec)
    const isRunning = { state: 'running', boot }
    await vi.waitFor(async () => expect(await host.inspect(web, sledId)).toMatchObject(isRunning), 60_000)
    shell = await openShell(host, { id: web, sledId })
  }
  async function stop() {
    shell.close()
    await host.shutDown(web, sledId, boot)
    const stopped = { state: 'stopped', guestShutdown: true }
    await vi.waitFor(async () => expect(await host.inspect(web, sledId)).toMatchObject(stopped), 60_000)
  }
  async function change(chains: readonly (readonly Layer[])[], size: number) {
    const disks = chains.map((layers, slot) => ({ id: diskIds[slot] ?? '', layers, size }))
    await host.setLayers(web, sledId, { boot, storage: ++storage, disks })
    expect(await host.inspect(web, sledId)).toMatchObject({ storage })
  }
  /** Freezes the first layers of a running machine, as a snapshot of all its disks does. */
  async function freeze(chains: readonly (readonly Layer[])[], size: number) {
    const tops = chains.map((layers) => [empty(), ...layers.map(written)])
    await change(tops, size)
    return tops
  }

  /** The guest reads a disk past its cache, and the host looks whether QEMU has written more than it may. */
  const read = (disk: string, command: string) => {
    look()
    return shell.type(`echo 3 > /proc/sys/vm/drop_caches; dd if=/dev/${disk} bs=64k 2>/dev/null | ${command}`)
  }
  const hashOf = async (disk: string, size: number) =>
    (await read(disk, `head -c ${size} | sha256sum`)).slice(0, 64)
  const sizeOf = async (disk: string) => Number(await shell.type(`cat /sys/block/${disk}/size`)) * 512
  const notZeroAfter = async (disk: string, size: number) =>
    Number(await read(disk, `tail -c +${size + 1} | tr -d '\\000' | wc -c`))
  const scribble = (disk: string, sector: number, count: number) =>
    shell.type(
      `dd if=/dev/urandom of=/dev/${disk} bs=512 seek=${sector} count=${count} conv=fsync 2>/dev/null`,
    )

  /** QEMU's tools and Blobs read the same, and it is what the guest has read. */
  async function expectBytes(layers: readonly Layer[], slot: number, size: number, hash: string) {
    const bytes = await openBlobs(blobsFolder()).read(layers.map(written), 0, size)
    expect(sha256(bytes)).toBe(hash)
    const expected = join(folder, 'expected.raw')
    writeFileSync(expected, bytes)
    const folders = {
      blobs: blobsFolder(),
      tables: join(folder, 'tables'),
      show: (path: string) => Promise.resolve(path),
      hide: () => Promise.resolve(),
    }
    const nodes = await openLayers(folders, { size, slot, layers: [empty(), ...layers.map(written)] })
    const raw = { driver: 'raw', file: { driver: 'file', filename: expected } }
    await run('qemu-img', ['compare', imageOf(nodes), `json:${JSON.stringify(raw)}`])
  }
  const filesOf = (layers: readonly Layer[]) =>
    layers.map(({ id }) => sha256(readFileSync(layerFile(blobsFolder(), id, 'data'))))

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'purlin-bytes-'))
    mkdirSync(blobsFolder())
    const kernel = buildGuest()
    host = await createQemuHost({
      folder: join(folder, 'host'),
      owner: 'a database',
      blobs: blobsFolder(),
      accelerator: 'tcg',
      hasBoxes,
      network: 'none',
      clock,
      log,
      ...(kernel ? { kernel } : {}),
    })
    sledId = (await host.hardware()).sleds[0]?.id ?? ''
  }, 300_000)
  afterAll(async () => {
    await host.close()
    const process = await findMachine(join(folder, 'host', web))
    if (process) await killProcess(process)
    rmSync(folder, { recursive: true, force: true })
  })

  it('old bytes stay, new room is zeros, and a roll-back has the bytes of its moment', async ({ skip }) => {
    if (!buildGuest()) return skip(lacks(noGuest))
    const blobs = openBlobs(blobsFolder())
    // One disk from an image, and one that has a single layer.
    const [image, first, alone] = [empty(), empty(), empty()]
    for (const layer of [image, alone])
      await blobs.write([layer], 0, exampleBytes(layer === image ? 'image' : 'alone'))
    const imageFiles = filesOf([image])
    await start([[first, written(image)], [written(alone)]], small)
    for (const disk of slots) expect(await sizeOf(disk)).toBe(small)
    expect(await hashOf('vda', small)).toBe(sha256(exampleBytes('image')))
    expect(await hashOf('vdb', small)).toBe(sha256(exampleBytes('alone')))

    // Within an extent, over the end of one, and the last sectors.
    for (const disk of slots)
      for (const [sector, count] of [
        [3, 1],
        [120, 20],
        [small / 512 - 2, 2],
      ] as const)
        await scribble(disk, sector, count)
    const atSnapshot = [await hashOf('vda', small), await hashOf('vdb', small)]
    const frozen = [[first, image], [alone]]
    const tops = await freeze(frozen, small)
    const files = frozen.map(filesOf)
    for (const disk of slots) await scribble(disk, 100, 200)
    const beforeGrowth = [await hashOf('vda', small), await hashOf('vdb', small)]
    await change(tops, large)
    for (const [slot, disk] of slots.entries()) {
      expect(await sizeOf(disk)).toBe(large)
      expect(await hashOf(disk, small)).toBe(beforeGrowth[slot])
      expect(await notZeroAfter(disk, small)).toBe(0)
      await scribble(disk, Math.floor(small / 512) - 1, 3)
      await scribble(disk, large / 512 - 1, 1)
    }
    const grown = [await hashOf('vda', large), await hashOf('vdb', large)]
    // One more while it runs: the layers that have grown are frozen, and the disks grow at the same moment.
    await freeze(tops, larger)
    for (const disk of slots) {
      expect(await sizeOf(disk)).toBe(larger)
      expect(await notZeroAfter(disk, large)).toBe(0)
      for (const sector of [0, larger / 512 - 10]) await scribble(disk, sector, 10)
    }
    await stop()
    for (const [slot, layers] of frozen.entries())
      await expectBytes(layers, slot, small, atSnapshot[slot] ?? '')
    for (const [slot, layers] of tops.entries()) await expectBytes(layers, slot, large, grown[slot] ?? '')

    // Both disks go back to the first snapshot, and keep their size.
    const back = frozen.map((layers) => [empty(), ...layers.map(written)])
    await start(back, larger)
    for (const [slot, disk] of slots.entries()) {
      expect(await sizeOf(disk)).toBe(larger)
      expect(await hashOf(disk, small)).toBe(atSnapshot[slot])
      expect(await notZeroAfter(disk, small)).toBe(0)
      await scribble(disk, larger / 512 - 1, 1)
    }
    await stop()
    // One disk goes back to the second one.
    await start([[empty(), ...(tops[0] ?? []).map(written)], (back[1] ?? []).map(written)], larger)
    expect(await hashOf('vda', large)).toBe(grown[0])
    expect(await notZeroAfter('vda', large)).toBe(0)
    expect(await hashOf('vdb', small)).toBe(atSnapshot[1])
    expect(await notZeroAfter('vdb', small)).toBeGreaterThan(0)
    await stop()
    // Nothing that was written since then has changed the snapshots.
    expect(frozen.map(filesOf)).toEqual(files)
    expect(filesOf([image])).toEqual(imageFiles)
    for (const [slot, layers] of tops.entries()) await expectBytes(layers, slot, large, grown[slot] ?? '')
  })

  it('a disk grows whose machine was killed while it wrote, and no server was there', async ({ skip }) => {
    if (!buildGuest()) return skip(lacks(noGuest))
    const [low, top] = [empty(), empty()]
    await openBlobs(blobsFolder()).write([low], 0, exampleBytes('low'))
    await start([[top, written(low)]], small)
    await scribble('vda', small / 512 - 4, 4)
    const before = await hashOf('vda', small)
    shell.close()
    // The tables of the layer are left, with the smaller size.
    const tables = layerFile(blobsFolder(), top.id, 'qcow2')
    const process = await findMachine(join(folder, 'host', web))
    const kept = readFileSync(tables)
    if (process) await killProcess(process)
    await vi.waitFor(async () => expect((await host.inspect(web, sledId))?.state).toBe('failed'), 60_000)
    writeFileSync(tables, kept)
    await start([[written(top), written(low)]], large)
    expect(await hashOf('vda', small)).toBe(before)
    expect(await notZeroAfter('vda', small)).toBe(0)
    await stop()
    await expectBytes([top, low], 0, small, before)
  })
})
