import { execFile, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { BytesMissing, LayerOpen, type Layer } from '@purlin/core/ports'
import { openBlobs } from '@purlin/databases/blobs-in-files'
import { layerFile } from '@purlin/databases/layer-files'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { imageOf } from '../testing/chains.ts'
import { whyNoQemu } from '../testing/qemu.ts'
import { LayerInUse, requireLockable } from './file-locks.ts'
import { openLayers, settleLayer, type BlockNode } from './layers.ts'
import { readTables, TablesDamaged } from './tables.ts'

const run = promisify(execFile)
const KiB = 1024
const extent = 64 * KiB
// The last extent is not whole.
const size = 40 * extent + 5 * KiB

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const written = (...ids: string[]): Layer[] => ids.map((id) => ({ id, hasBytes: true }))
const io = (nodes: readonly BlockNode[], ...commands: string[]) =>
  run('qemu-io', ['-t', 'writeback', ...commands.flatMap((command) => ['-c', command]), imageOf(nodes)])

function newWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-layers-'))
  folders.push(folder)
  const blobs = openBlobs(join(folder, 'blobs'))
  const at = {
    blobs: join(folder, 'blobs'),
    tables: join(folder, 'tables'),
    show: (path: string) => Promise.resolve(path),
    hide: () => Promise.resolve(),
  }
  const nodesOf = (layers: readonly Layer[]) => openLayers(at, { size, slot: 0, layers })
  const settle = (id: string) => settleLayer(at.blobs, id, { size })

  /** QEMU and Blobs read the same bytes of a chain. */
  async function compare(layers: readonly Layer[]) {
    const raw = join(folder, 'expected.raw')
    const bytes = await blobs.read(layers, 0, size)
    writeFileSync(raw, bytes)
    const expected = JSON.stringify({ driver: 'raw', file: { driver: 'file', filename: raw } })
    await run('qemu-img', ['compare', imageOf(await nodesOf(layers)), `json:${expected}`])
    const [top] = layers
    if (top) await settle(top.id)
    expect(Buffer.compare(await blobs.read(layers, 0, size), bytes)).toBe(0)
  }
  return { blobs, at, nodesOf, settle, compare }
}

/** Writes at random places through Blobs, also in parts of extents and zeros. */
async function scribble({ blobs }: Pick<ReturnType<typeof newWorld>, 'blobs'>, layers: readonly Layer[]) {
  const chain = layers.map((layer, i) => (i === 0 ? { ...layer, hasBytes: false } : layer))
  await blobs.write(chain, size - 512, Buffer.alloc(512, 9))
  for (let i = 0; i < 12; i++) {
    const at = randomInt(size / 512 - 1) * 512
    const length = Math.min(size - at, randomInt(1, 300) * 512)
    await blobs.write(chain, at, Buffer.alloc(length, i % 4))
  }
}

describe.skipIf(lacks(whyNoQemu))('layers in QEMU', () => {
  it('reads what Blobs has written, in chains of one to four layers', async () => {
    const world = newWorld()
    let layers: Layer[] = []
    for (let depth = 0; depth < 4; depth++) {
      layers = [...written(randomUUID()), ...layers]
      await scribble(world, layers)
      await world.compare(layers)
    }
    // A layer that was never written is empty.
    await world.compare([{ id: randomUUID(), hasBytes: false }, ...layers])
    await world.compare([...layers.slice(0, 3), { id: randomUUID(), hasBytes: false }])
  })

  it('describes no node with all below it: the tables name the file of the next one', async () => {
    const world = newWorld()
    const layers = [{ id: randomUUID(), hasBytes: false }, ...written(randomUUID(), randomUUID())]
    await world.blobs.write([{ id: layers[2]!.id, hasBytes: false }], 0, Buffer.alloc(size, 7))
    await world.blobs.write([{ id: layers[1]!.id, hasBytes: false }, layers[2]!], 0, Buffer.alloc(extent, 8))
    const nodes = await world.nodesOf(layers)
    expect(nodes.map((node) => node.backing)).toEqual([
      undefined,
      ...nodes.slice(0, 2).map((node) => node['node-name']),
    ])
    // QEMU's header has the place of the name, and its length.
    const names = nodes.slice(1).map(({ file }) => {
      const header = readFileSync(file.filename)
      const at = Number(header.readBigUInt64BE(8))
      return header.toString('utf8', at, at + header.readUInt32BE(16))
    })
    expect(names).toEqual(nodes.slice(0, 2).map(({ file }) => file.filename))
  })

  it('Blobs reads what a machine has written, zeroed and discarded, whatever is below', async () => {
    const world = newWorld()
    const [low, middle, top] = [randomUUID(), randomUUID(), randomUUID()]
    await world.blobs.write([{ id: low, hasBytes: false }], 0, Buffer.alloc(size, 7))
    for (const layers of [written(low), written(middle, low), written(top, middle, low)]) {
      const nodes = await world.nodesOf(
        layers.map((layer, i) => (i === 0 ? { ...layer, hasBytes: false } : layer)),
      )
      await io(
        nodes,
        `write -P 0x31 ${3 * KiB} ${2 * KiB}`,
        `write -P 0x32 ${4 * extent} ${3 * extent}`,
        `write -z ${5 * extent} ${extent}`,
        `write -z ${6 * extent + 512} 1k`,
        `write -z -u ${8 * extent} ${extent}`,
        `discard ${10 * extent} ${2 * extent}`,
        `write -P 0x33 ${size - KiB} ${KiB}`,
        'flush',
      )
      await world.settle(layers[0]!.id)
      const bytes = await world.blobs.read(layers, 0, size)
      expect([3 * KiB - 1, 3 * KiB, 5 * KiB - 1, 5 * KiB].map((at) => bytes[at])).toEqual([7, 0x31, 0x31, 7])
      expect([4, 5, 6, 8, 10].map((at) => bytes[at * extent])).toEqual([0x32, 0, 0x32, 0, 0])
      expect([bytes[6 * extent + 512], bytes[6 * extent + 1536], bytes[size - 1]]).toEqual([0, 0x32, 0x33])
      await world.compare(layers)
    }
  })

  it('an extent that was written before reads as zeros once QEMU has marked it so', async () => {
    const world = newWorld()
    const [low, top] = [randomUUID(), randomUUID()]
    await world.blobs.write([{ id: low, hasBytes: false }], 0, Buffer.alloc(size, 7))
    const layers = [{ id: top, hasBytes: false }, ...written(low)]
    await world.blobs.write(layers, 0, Buffer.alloc(2 * extent, 8))
    await io(await world.nodesOf(layers), `write -z 0 ${extent}`, 'flush')
    // The next look repairs what a crash between tables and map has left.
    const nodes = await world.nodesOf(written(top, low))
    expect(existsSync(layerFile(world.at.blobs, top, 'qcow2'))).toBe(true)
    await io(nodes, `read -P 0 0 ${extent}`, `read -P 8 ${extent} ${extent}`)
    await world.settle(top)
    const bytes = await world.blobs.read(written(top, low), 0, 2 * extent)
    expect([bytes[0], bytes[extent]]).toEqual([0, 8])
  })

  it('has what was flushed after QEMU was killed while it wrote', async () => {
    const world = newWorld()
    const [low, top] = [randomUUID(), randomUUID()]
    await world.blobs.write([{ id: low, hasBytes: false }], 0, Buffer.alloc(size, 7))
    const layers = [{ id: top, hasBytes: false }, ...written(low)]
    for (let round = 1; round <= 4; round++) {
      const process = spawn('qemu-io', ['-t', 'writeback', imageOf(await world.nodesOf(layers))])
      const lines = Array.from({ length: 40 }, (_, i) => `write -P ${round} ${i * extent + 512} 1k`)
      process.stdin.write(`${lines.slice(0, 20).join('\n')}\nflush\nread 0 512\n`)
      const rest = setInterval(() => process.stdin.write(`${lines.slice(20).join('\n')}\n`), 1)
      process.stdin.on('error', () => undefined)
      let output = ''
      for await (const text of process.stdout) if ((output += String(text)).includes('read 512/512')) break
      clearInterval(rest)
      process.kill('SIGKILL')
      await once(process, 'exit')
      await world.settle(top)
      const bytes = await world.blobs.read(written(top, low), 0, size)
      for (let i = 0; i < 20; i++)
        expect([bytes[i * extent], bytes[i * extent + 512], bytes[i * extent + 2048]]).toEqual([7, round, 7])
      for (let i = 20; i < 40; i++) expect([7, round - 1, round]).toContain(bytes[i * extent + 512])
      await world.compare(written(top, low))
    }
  })

  it('leaves the tables of a layer alone while any QEMU writes to it', async () => {
    const world = newWorld()
    const [low, top] = [randomUUID(), randomUUID()]
    await world.blobs.write([{ id: low, hasBytes: false }], 0, Buffer.alloc(size, 7))
    const layers = [{ id: top, hasBytes: false }, ...written(low)]
    const process = spawn('qemu-io', [imageOf(await world.nodesOf(layers))])
    const ended = once(process, 'exit')
    const commands = [`write -P 8 0 ${extent}`, 'flush', 'read 0 512']
    // It takes one command for each prompt.
    const isRead = async () => {
      for await (const text of process.stdout.iterator({ destroyOnReturn: false })) {
        if (String(text).includes('read 512/512')) return
        process.stdin.write(`${commands.shift() ?? ''}\n`)
      }
    }
    await isRead()
    await expect(world.settle(top)).rejects.toThrow(LayerInUse)
    await expect(world.nodesOf(written(top, low))).rejects.toThrow(LayerInUse)
    // As on file systems whose locks this host does not list.
    const tables = layerFile(world.at.blobs, top, 'qcow2')
    await expect(requireLockable(tables)).rejects.toThrow(LayerInUse)
    process.kill('SIGKILL')
    await ended
    await requireLockable(tables)
    await expect(requireLockable(`${tables}.absent`)).rejects.toThrow('No such file')
    // Machines of two disks may settle a layer at the same time.
    await Promise.all([world.settle(top), world.settle(top)])
    expect((await world.blobs.read(written(top, low), 0, 1))[0]).toBe(8)
  })

  it('loses nothing if the system writes less than it was given, as on a volume with little room', async () => {
    const world = newWorld()
    const layers = [{ id: randomUUID(), hasBytes: false }, ...written(randomUUID())]
    await world.blobs.write([{ id: layers[1]!.id, hasBytes: false }], 0, Buffer.alloc(size, 7))
    const file = await open(join(world.at.blobs, 'any'), 'w')
    const prototype = Object.getPrototypeOf(file) as Pick<FileHandle, 'write'>
    await file.close()
    rmSync(join(world.at.blobs, 'any'))
    const whole = prototype.write
    const short = vi.spyOn(prototype, 'write').mockImplementation(function (
      this: FileHandle,
      ...given: unknown[]
    ) {
      const [bytes, from, length, at] = given as [Uint8Array, number, number, number]
      return Reflect.apply(whole, this, [bytes, from, Math.min(length, 7), at])
    })
    try {
      await io(await world.nodesOf(layers), `write -P 8 ${10 * extent} ${extent}`, 'flush')
      await world.settle(layers[0]!.id)
    } finally {
      short.mockRestore()
    }
    expect(
      (
        await world.blobs.read(
          layers.map(({ id }) => ({ id, hasBytes: true })),
          10 * extent,
          1,
        )
      )[0],
    ).toBe(8)
  })

  it('removes its tables with the layer, lists them, and keeps them with the bytes that are put aside', async () => {
    const world = newWorld()
    const [low, top, other] = [randomUUID(), randomUUID(), randomUUID()]
    await world.blobs.write([{ id: low, hasBytes: false }], 0, Buffer.alloc(512, 1))
    for (const id of [top, other]) await world.nodesOf([{ id, hasBytes: false }, ...written(low)])
    expect((await world.blobs.list()).toSorted()).toEqual([low, top, other].toSorted())
    const tables = layerFile(world.at.blobs, top, 'qcow2')
    expect(statSync(tables).mode & 0o077).toBe(0)
    await world.blobs.remove(top)
    expect(existsSync(tables)).toBe(false)
    await world.blobs.putAside(other, Date.UTC(2026, 0, 2))
    expect(existsSync(join(world.at.blobs, 'aside', '2026-01-02', `${other}.qcow2`))).toBe(true)
    expect(await world.blobs.list()).toEqual([low])
  })

  it('never gives a machine zeros for bytes that are missing', async () => {
    const world = newWorld()
    const [low, top] = [randomUUID(), randomUUID()]
    await expect(world.nodesOf(written(low))).rejects.toThrow(BytesMissing)
    await expect(world.nodesOf([{ id: top, hasBytes: false }, ...written(low)])).rejects.toThrow(BytesMissing)
  })

  it('takes no bytes of a guest for a header that names the files of another', async () => {
    const { blobs, at, compare, nodesOf } = newWorld()
    const file = (name: string) => join(at.blobs, '..', name)
    const secret = 'of another machine '.repeat(4_000)
    writeFileSync(file('backing'), secret)
    const forgeries = [
      ['-b', file('backing'), '-F', 'raw'],
      ['-o', `data_file=${file('data')},data_file_raw=on`],
    ]
    for (const forgery of forgeries) {
      await run('qemu-img', ['create', '-q', '-f', 'qcow2', ...forgery, file('forged'), '1M'])
      writeFileSync(file('data'), secret)
      const header = readFileSync(file('forged'))
      const [lower, upper] = [randomUUID(), randomUUID()]
      await blobs.write([{ id: lower, hasBytes: false }], 0, header.subarray(0, extent))
      await compare(written(lower))
      await blobs.write([{ id: upper, hasBytes: false }, ...written(lower)], 0, header.subarray(0, extent))
      await compare(written(upper, lower))
      // The guest reads what it has written.
      const { stdout } = await io(await nodesOf(written(upper, lower)), 'read -v 0 4k')
      expect(stdout).toContain('51 46 49 fb')
      expect(stdout).not.toContain('of another')
    }
  })

  it('reads no tables but its own, and none that were not finished', async () => {
    const world = newWorld()
    const [low, top] = [randomUUID(), randomUUID()]
    await world.blobs.write([{ id: low, hasBytes: false }], 0, Buffer.alloc(extent, 1))
    await world.blobs.write([{ id: top, hasBytes: false }, ...written(low)], 0, Buffer.alloc(extent, 2))
    const tables = layerFile(world.at.blobs, top, 'qcow2')
    await world.nodesOf(written(top, low))
    const bytes = readFileSync(tables)
    // The L2 table says that the extent is in another place.
    bytes.writeBigUInt64BE((1n << 63n) | BigInt(extent), 4 * extent)
    writeFileSync(tables, bytes)
    await expect(readTables(tables, size)).rejects.toThrow(TablesDamaged)
    // The header says that the disk is huge.
    bytes.writeBigUInt64BE(2n ** 48n, 24)
    writeFileSync(tables, bytes)
    await expect(world.settle(top)).rejects.toThrow('the header')
    writeFileSync(tables, 'not qcow2'.padEnd(200))
    await expect(world.settle(top)).rejects.toThrow(TablesDamaged)
    writeFileSync(tables, Buffer.alloc(5 * extent))
    await expect(world.blobs.read(written(top, low), 0, 1)).rejects.toThrow(LayerOpen)
    await world.nodesOf(written(top, low))
    await world.settle(top)
    expect([...(await world.blobs.read(written(top, low), 0, 1))]).toEqual([2])
    await world.compare(written(top, low))
  })
})
