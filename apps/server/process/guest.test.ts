import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@purlin/contract/rules/limits'
import { buildGuest, noGuest } from '@purlin/qemu/testing/guest'
import { endMachines } from '@purlin/qemu/testing/machines'
import { whyNoQemu } from '@purlin/qemu/testing/qemu'
import { shellOf } from '@purlin/qemu/testing/shell'
import { afterAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { lacks } from '@purlin/sleds/testing/skips'
import { killAll, newFolder } from '../testing/children.ts'
import { serve, type ServerProcess } from '../testing/process.ts'
import { signIn, type Api } from '../testing/requests.ts'

const folder = newFolder()
const GiB = 2 ** 30
const query = { project: 'real' }
const params = { instance: 'web' }
const at = { params, query }
const named = (name: string) => ({ name, description: '' })
const patient = { timeout: 120_000, interval: 100 }

let server: ServerProcess
let api: Api
let cookie = ''

async function start(): Promise<void> {
  server = await serve({ folder: folder.path, args: ['--machines', 'qemu'] })
  ;({ api, cookie } = await signIn(server.url))
}

afterAll(async () => {
  await endMachines(join(folder.path, 'qemu'))
  killAll()
  folder.remove()
})

/** An image with the bytes of a file, uploaded in the parts that are not zero. */
async function upload(file: string): Promise<void> {
  const disk = { params: { disk: 'upload' }, query }
  await api.diskCreate({
    query,
    body: { ...named('upload'), size: GiB, diskSource: { type: 'importing_blocks', blockSize: 512 } },
  })
  await api.diskBulkWriteImportStart(disk)
  const bytes = readFileSync(file)
  const size = limits.bulkWrite.chunk
  for (let offset = 0; offset < bytes.length; offset += size) {
    const body = bytes.subarray(offset, offset + size)
    if (body.some((byte) => byte !== 0))
      await api.diskBlocksWrite({ ...disk, query: { ...query, offset }, body })
  }
  await api.diskBulkWriteImportStop(disk)
  await api.diskFinalizeImport({ ...disk, body: { snapshotName: 'upload' } })
  const { id } = await api.snapshotView({ params: { snapshot: 'upload' }, query })
  const source = { type: 'snapshot', id } as const
  await api.imageCreate({ query, body: { ...named('tiny'), os: 'busybox', version: '1', source } })
}

async function openShell() {
  const path = `/v1/instances/web/serial-console/stream?project=real&most_recent=262144`
  const socket = new WebSocket(server.url.replace('http', 'ws') + path, { headers: { cookie } })
  let output = ''
  socket.on('message', (data: Buffer) => (output += data.toString('latin1')))
  await once(socket, 'open')
  return shellOf({ output: () => output, write: (words) => socket.send(Buffer.from(words)) })
}
const runState = async () => (await api.instanceView(at)).runState
const until = (state: string) => vi.waitFor(async () => expect(await runState()).toBe(state), patient)
const snapshotIsReady = (snapshot: string) =>
  vi.waitFor(
    async () => expect((await api.snapshotView({ params: { snapshot }, query })).state).toBe('ready'),
    patient,
  )
const mounted = (disk: string) => `mount -t vfat /dev/${disk} /mnt`

it.skipIf(lacks(whyNoQemu))(
  'an uploaded image boots, and keeps its files over stops, snapshots and the end of the server',
  { timeout: 600_000 },
  async ({ skip }) => {
    const guest = buildGuest()
    if (!guest) return skip(lacks(noGuest))
    await start()
    await api.projectCreate({ body: named('real') })
    await upload(guest.disk)
    const image = await api.imageView({ params: { image: 'tiny' }, query })
    await api.instanceCreate({
      query,
      body: {
        ...named('web'),
        ncpus: 1,
        memory: GiB,
        hostname: 'web',
        networkInterfaces: { type: 'none' },
        bootDisk: {
          type: 'create',
          ...named('boot'),
          size: GiB,
          diskSource: { type: 'image', imageId: image.id },
        },
      },
    })
    await until('running')
    let shell = await openShell()
    await shell.type(`${mounted('vda')}; echo one > /mnt/file; sync; memory=kept`)
    await api.snapshotCreate({ query, body: { ...named('first'), disk: 'boot' } })
    await snapshotIsReady('first')
    await shell.type('echo two > /mnt/file; sync')

    server.signal('SIGKILL')
    await server.ended
    await start()
    const before = shell.output()
    shell = await openShell()
    expect(shell.output()).toContain(before)
    expect(await shell.type('echo $memory; cat /mnt/file')).toMatch(/^kept\s+two$/)

    await api.instanceStop(at)
    await until('stopped')
    const diskSource = {
      type: 'snapshot',
      snapshotId: (await api.snapshotView({ params: { snapshot: 'first' }, query })).id,
    } as const
    await api.diskCreate({ query, body: { ...named('copy'), size: GiB, diskSource } })
    await api.instanceDiskAttach({ ...at, body: { disk: 'copy' } })
    await api.instanceStart(at)
    await until('running')
    shell = await openShell()
    expect(await shell.type(`${mounted('vda')}; cat /mnt/file`)).toBe('two')
    expect(await shell.type(`umount /mnt; ${mounted('vdb')}; cat /mnt/file`)).toBe('one')

    await vi.waitFor(async () => {
      const { tables } = await api.timeseriesQuery({
        query,
        body: { query: 'get virtual_disk:bytes_read | filter timestamp > @now() - 10m' },
      })
      expect(JSON.stringify(tables)).toMatch(/"values":\[[^\]]*[1-9]/)
    }, patient)

    // A guest that does not obey the power button.
    await shell.type('killall acpid')
    await api.instanceStop(at)
    await api.instanceStop(at)
    expect(await runState()).toBe('stopping')
    await api.instanceStop({ ...at, query: { ...query, force: true } })
    await until('stopped')
    await server.stop()
  },
)

it.skipIf(lacks(whyNoQemu))(
  'a snapshot of an instance has all disks at one moment, and a roll-back brings back their bytes',
  { timeout: 600_000 },
  async ({ skip }) => {
    if (!buildGuest()) return skip(lacks(noGuest))
    await start()
    const attach = (disk: string) => api.instanceDiskAttach({ ...at, body: { disk } })
    await api.instanceDiskDetach({ ...at, body: { disk: 'copy' } })
    const blank = { type: 'blank', blockSize: 512 } as const
    for (const disk of ['left', 'right']) {
      await api.diskCreate({ query, body: { ...named(disk), size: GiB, diskSource: blank } })
      await attach(disk)
    }
    await api.instanceStart(at)
    await until('running')
    let shell = await openShell()
    const sumOf = (disk: string) => `dd if=/dev/${disk} bs=1M skip=1 count=3 2>/dev/null | md5sum`
    const fill = 'bs=1M seek=1 count=3 conv=fsync,notrunc 2>/dev/null'
    await shell.type(`dd if=/dev/urandom of=/dev/vdb ${fill}`)
    const sum = await shell.type(sumOf('vdb'))
    const put = (disk: string) => `echo $i | dd of=/dev/${disk} bs=512 conv=fsync,sync,notrunc 2>/dev/null`
    // Each number is on the left disk before it is on the right one, and the next one comes after both.
    const counting = `i=$((i+1)); ${put('vdb')}; ${put('vdc')}; [ $i = 3 ] && touch /counts`
    await shell.type(
      `(i=0; while :; do ${counting}; done) & counter=$!; until [ -e /counts ]; do sleep 1; done`,
    )
    const take = (name: string) =>
      api.instanceSnapshotCreate({ query: { ...query, instance: 'web' }, body: named(name) })
    const whole = (instanceSnapshot: string) => ({
      params: { instanceSnapshot },
      query: { ...query, instance: 'web' },
    })
    for (const name of ['m1', 'm2']) {
      await take(name)
      await vi.waitFor(
        async () => expect((await api.instanceSnapshotView(whole(name))).state).toBe('ready'),
        patient,
      )
    }
    await shell.type(`kill $counter; wait; dd if=/dev/zero of=/dev/vdb ${fill}`)
    await api.instanceStop({ ...at, query: { ...query, force: true } })
    await until('stopped')
    await api.instanceSnapshotRollBack({ ...whole('m1'), body: { snapshotBefore: 'm3' } })

    for (const name of ['m1-left', 'm1-right', 'm2-left', 'm2-right', 'm3-left']) {
      const { id: snapshotId } = await api.snapshotView({ params: { snapshot: name }, query })
      const diskSource = { type: 'snapshot', snapshotId } as const
      await api.diskCreate({ query, body: { ...named(name), size: GiB, diskSource } })
      await attach(name)
    }
    await api.instanceStart(at)
    await until('running')
    shell = await openShell()
    const count = async (disk: string) =>
      Number(await shell.type(`dd if=/dev/${disk} bs=512 count=1 2>/dev/null | head -n 1`))
    const [left, right, left1, right1, left2, right2] = [
      await count('vdb'),
      await count('vdc'),
      await count('vdd'),
      await count('vde'),
      await count('vdf'),
      await count('vdg'),
    ] as const
    expect([left, right]).toEqual([left1, right1])
    for (const ahead of [left1 - right1, left2 - right2]) expect([0, 1]).toContain(ahead)
    expect(right2).toBeGreaterThan(right1)
    expect(await shell.type(sumOf('vdb'))).toBe(sum)
    expect(await shell.type(sumOf('vdf'))).toBe(sum)
    expect(await shell.type(sumOf('vdh'))).not.toBe(sum)
    await api.instanceStop({ ...at, query: { ...query, force: true } })
    await until('stopped')
    await server.stop()
  },
)

it.skipIf(lacks(whyNoQemu))(
  'a disk grows while its machine runs, and is rolled back with its new size',
  { timeout: 600_000 },
  async ({ skip }) => {
    if (!buildGuest()) return skip(lacks(noGuest))
    await start()
    for (const { name } of (await api.instanceDiskList({ ...at, query: { ...query, limit: 100 } })).items)
      if (name !== 'boot') await api.instanceDiskDetach({ ...at, body: { disk: name } })
    await api.instanceDiskAttach({ ...at, body: { disk: 'right' } })
    const grow = (size: number) => api.diskUpdate({ params: { disk: 'right' }, query, body: { size } })
    await api.instanceStart(at)
    await until('running')
    let shell = await openShell()
    const MiB = 2 ** 20
    const piece = (mib: number) => `dd if=/dev/vdb bs=1M skip=${mib} count=1 2>/dev/null`
    const sums = async () => shell.type([0, 500, 1023].map((mib) => `${piece(mib)} | md5sum`).join('; '))
    const put = (mib: number) =>
      shell.type(`dd if=/dev/urandom of=/dev/vdb bs=1M seek=${mib} count=1 conv=fsync 2>/dev/null`)
    for (const mib of [0, 500, 1023]) await put(mib)
    const kept = await sums()
    await api.snapshotCreate({ query, body: { ...named('full'), disk: 'right' } })
    // Its moment is when the machine has switched.
    await snapshotIsReady('full')
    await put(500)
    const changed = await sums()
    expect(changed).not.toBe(kept)
    const sectors = 'cat /sys/block/vdb/size'
    expect(Number(await shell.type(sectors))).toBe(GiB / 512)
    await grow(2 * GiB)
    const grown = async () => expect(Number(await shell.type(sectors))).toBe((2 * GiB) / 512)
    await vi.waitFor(grown, { timeout: 300_000, interval: 200 })
    expect(await sums()).toBe(changed)
    const last = 2 * (GiB / MiB) - 1
    const rest = [1024, 1500, last].map((mib) => `${piece(mib)} | tr -d '\\000' | wc -c`).join('; ')
    expect((await shell.type(rest)).split(/\s+/)).toEqual(['0', '0', '0'])
    await put(last)
    await api.instanceStop({ ...at, query: { ...query, force: true } })
    await until('stopped')
    await api.diskRollBack({ params: { disk: 'right' }, query, body: { snapshot: 'full' } })
    await api.instanceStart(at)
    await until('running')
    shell = await openShell()
    expect(Number(await shell.type(sectors))).toBe((2 * GiB) / 512)
    expect(await sums()).toBe(kept)
    expect((await shell.type(rest)).split(/\s+/)).toEqual(['0', '0', '0'])
    await api.instanceStop({ ...at, query: { ...query, force: true } })
    await until('stopped')
    await server.stop()
  },
)
