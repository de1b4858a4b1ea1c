/** Disks that boot by UEFI alone: the choice, and a real guest that is reset and moves, in three boots. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openBlobs } from '@purlin/databases/blobs-in-files'
import { expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { partitionTable, type Partition } from '../testing/gpt.ts'
import { buildGuest, noGuest } from '../testing/guest.ts'
import { whyNoQemu } from '../testing/qemu.ts'
import { sharedFolder, smallSpec, type SharedHost } from '../testing/shared-hosts.ts'
import { openShell } from '../testing/shell.ts'
import { bootsByUefiAlone } from './firmware.ts'

const MiB = 1024 ** 2
const web = randomUUID()
const patient = { timeout: 180_000, interval: 100 }
const arrivals = { host: '127.0.0.1', port: 0 }

/** The first bytes of a disk. */
function diskOf(partitions: readonly Partition[], change: (disk: Buffer) => void = () => {}): Uint8Array {
  const disk = Buffer.alloc(MiB)
  for (const [at, bytes] of partitionTable(MiB, partitions)) bytes.copy(disk, at)
  change(disk)
  return disk.subarray(0, 65_536)
}
const system = { type: 'efiSystem', from: 100, to: 200 } as const
const others = [
  { type: 'linux', from: 300, to: 400 },
  { type: 'linux', from: 500, to: 600 },
] as const

it('a disk boots by UEFI alone if only that finds a way to boot it', () => {
  const is = (partitions: readonly Partition[], change?: (disk: Buffer) => void) =>
    bootsByUefiAlone(diskOf(partitions, change), 512)
  expect(is([system])).toBe(true)
  expect(is([...others, system])).toBe(true)
  expect(is([...others])).toBe(false)
  expect(is([system, { type: 'biosBoot', from: 300, to: 310 }])).toBe(false)
  expect(is([system, { type: 'linux', from: 300, to: 400, isLegacy: true }])).toBe(false)
  expect(is([system], (disk) => disk.writeUInt8(0xeb, 0))).toBe(false)
  expect(is([system], (disk) => disk.fill(0, 512, 520))).toBe(false)
  // A table of a guest that is not one.
  expect(is([system], (disk) => disk.writeUInt32LE(0, 512 + 84))).toBe(false)
  expect(is([system], (disk) => disk.fill(0xff, 512 + 72, 512 + 84))).toBe(false)
  expect(bootsByUefiAlone(new Uint8Array(65_536), 4096)).toBe(false)
})

it.skipIf(lacks(whyNoQemu))(
  'a guest boots by UEFI, and its variables outlast resets and moves',
  async ({ skip }) => {
    const guest = buildGuest()
    if (!guest) return skip(lacks(noGuest))
    const hosts = sharedFolder()
    const [top, image] = [randomUUID(), randomUUID()]
    await openBlobs(hosts.blobs).write([{ id: image, hasBytes: false }], 0, readFileSync(guest.uefiDisk))
    const chain = [
      { id: top, hasBytes: false },
      { id: image, hasBytes: true },
    ]
    const at = ({ sledId }: SharedHost) => ({ id: web, sledId })
    const reach = (one: SharedHost, status: object | null) =>
      vi.waitFor(async () => {
        const found = await one.host.inspect(web, one.sledId)
        if (status === null) expect(found).toBeNull()
        else expect(found).toMatchObject(status)
      }, patient)

    const bare = await hosts.open('bare', { firmware: '/no/such/folder' })
    const spec = smallSpec(bare.sledId, chain, { memory: 256 * MiB, nics: [] })
    await bare.host.ensure(web, spec)
    const reason = 'its disk boots by UEFI alone, and its host has no such firmware: the package ovmf'
    await reach(bare, { state: 'failed', reason })
    await bare.host.remove(web, bare.sledId, 1)
    await reach(bare, null)

    const [from, to] = [await hosts.open('from', { arrivals }), await hosts.open('to', { arrivals })]
    const here = { ...spec, boot: 2, sledId: from.sledId }
    await from.host.ensure(web, here)
    await reach(from, { state: 'running' })
    const first = await openShell(from.host, at(from))
    const folder = '/sys/firmware/efi/efivars'
    const mount = `mount -t efivarfs efivarfs ${folder}`
    const name = `${folder}/Kept-${randomUUID()}`
    await first.type(mount)
    // Kept for the next boot, for the firmware and for the system.
    const write = (file: string) => `printf '\\007\\0\\0\\0kept' > ${file} && echo written`
    expect(await first.type(write(name))).toBe('written')
    await from.host.ensure(web, { ...here, reset: 1 })
    const boots = () => first.output().split('guest-is-ready').length - 1
    await vi.waitFor(() => expect(boots()).toBe(2), patient)
    await first.type(mount)
    expect(await first.type(`cat ${name}`)).toContain('kept')
    first.close()

    const migration = { id: randomUUID(), to: to.sledId, spec: { ...here, reset: 1 } }
    const way = await to.host.receive?.(web, migration)
    await from.host.migrate(web, { ...migration, ...(way ? { at: way } : {}) })
    await reach(to, { state: 'running' })
    await reach(from, null)
    const second = await openShell(to.host, at(to))
    expect(await second.type(`cat ${name}`)).toContain('kept')
    expect(await second.type(write(`${folder}/Kept-${randomUUID()}`))).toBe('written')
    second.close()
    await hosts.close()
  },
)
