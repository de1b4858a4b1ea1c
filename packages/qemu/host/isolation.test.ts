/** A QEMU that its guest has taken over: it sees and changes the files of its machine, and nothing else. */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Layer } from '@purlin/core/ports'
import { layerFile } from '@purlin/databases/layer-files'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { filesIn } from '../machine/context.ts'
import { findMachine } from '../machine/launch.ts'
import { killProcess, startProcess } from '../machine/process.ts'
import { clockWithLooks } from '../testing/looks.ts'
import { hasBoxes, whyNoQemu } from '../testing/qemu.ts'
import { createQemuHost, type QemuHost, type QemuHostOptions } from './host.ts'

const MiB = 1024 ** 2
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const whyNot = whyNoQemu || (!hasBoxes && 'bubblewrap cannot make boxes here')

let folder: string
let host: QemuHost
let sledId: string
const at = (id: string) => join(folder, 'host', id)
const blobs = () => join(folder, 'blobs')
const dataOf = ({ id }: Layer) => layerFile(blobs(), id, 'data')

const options = (): QemuHostOptions => ({
  folder: join(folder, 'host'),
  owner: 'a database',
  blobs: blobs(),
  accelerator: 'tcg',
  hasBoxes,
  network: 'none',
  clock: realClock,
  log,
})

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-box-'))
  mkdirSync(blobs())
  writeFileSync(join(folder, 'purlin.db'), 'keys of all silos')
  host = await createQemuHost(options())
  sledId = (await host.hardware()).sleds[0]?.id ?? ''
})
afterEach(async () => {
  await host.close()
  for (const id of readdirSync(join(folder, 'host'))) {
    const process = await findMachine(at(id))
    if (process) await killProcess(process)
  }
  rmSync(folder, { recursive: true, force: true })
})

async function run(layers: Layer[]) {
  const id = randomUUID()
  const spec = exampleSpec(sledId)
  const disks = spec.disks.map((disk) => ({ ...disk, size: MiB, layers }))
  await host.ensure(id, { ...spec, ncpus: 1, memory: 32 * MiB, cpuPlatform: 'host', disks })
  await vi.waitFor(async () => expect(await host.inspect(id, sledId)).toMatchObject({ state: 'running' }), {
    timeout: 60_000,
  })
  return { id, disks }
}

describe.skipIf(lacks(whyNot))('a machine in its box', () => {
  it('sees its own files, no database, no disks and folders of others, and no other process', async () => {
    const image: Layer = { id: randomUUID(), hasBytes: true }
    writeFileSync(dataOf(image), Buffer.alloc(MiB, 7))
    const top: Layer = { id: randomUUID(), hasBytes: false }
    const { id: other } = await run([{ id: randomUUID(), hasBytes: false }])
    const { id } = await run([top, image])
    const pid = (await findMachine(at(id)))?.pid ?? 0
    const inside = (path: string) => `/proc/${pid}/root${path}`
    const seen = (path: string) => readdirSync(inside(path)).toSorted()

    expect(seen(folder)).toEqual(['host'])
    expect(seen(join(folder, 'host'))).toEqual([id])
    expect(seen(join(at(id), 'written'))).toEqual([`${top.id}.data`, `${top.id}.qcow2`])
    expect(seen(join(at(id), 'read'))).toEqual([`${image.id}.data`])
    for (const path of [join(folder, 'purlin.db'), blobs(), at(other), '/proc/1', '/home', '/root', '/sys'])
      expect(existsSync(inside(path)), path).toBe(false)
    expect(seen('/etc').filter((name) => /passwd|shadow|ssl|ssh/.test(name))).toEqual([])

    const [, options = ''] = new RegExp(` ${join(at(id), 'read')} (\\S+)`).exec(mountsOf(pid)) ?? []
    expect(options.split(',')).toContain('ro')
    expect(statusOf(pid)).toMatchObject({
      CapEff: '0000000000000000',
      CapBnd: '0000000000000000',
      NoNewPrivs: '1',
    })
    // Each of its threads has the filter of its box, and that of QEMU's sandbox.
    for (const thread of readdirSync(`/proc/${pid}/task`))
      expect(statusOf(pid, thread)).toMatchObject({ Seccomp: '2', Seccomp_filters: '2' })
    // It has a network without any device but its own loopback.
    expect(
      readFileSync(`/proc/${pid}/net/dev`, 'utf8')
        .match(/^ *\w+:/gm)
        ?.map((name) => name.trim()),
    ).toEqual(['lo:'])
  })

  it('leads the server to no other socket, and its files are removed whatever it leaves', async () => {
    const { id } = await run([{ id: randomUUID(), hasBytes: false }])
    const { run: sockets, ...own } = filesIn(at(id))
    let connections = 0
    const other = createServer(() => connections++).listen(join(folder, 'other'))
    await once(other, 'listening')
    chmodSync(sockets, 0o700)
    for (const path of [own.serial, own.screen, own.qmp]) {
      unlinkSync(path)
      symlinkSync(join(folder, 'other'), path)
    }
    const closed: string[] = []
    const listener = { data: () => undefined, closed: (reason: string) => void closed.push(reason) }
    const stream = await host.openConsole({ id, sledId }, { last: 0 }, listener)
    stream?.write(new TextEncoder().encode('exec'))
    await host.openDisplay({ id, sledId }, listener)
    await vi.waitFor(() => expect(closed).toEqual(['the screen of the machine does not answer']), 60_000)
    other.close()
    expect(connections).toBe(0)

    // Deeper than a path can be.
    mkdirSync(join(sockets, 'closed'))
    const deep =
      "for (let i = 0; i < 40; i++) { const name = 'x'.repeat(200); fs.mkdirSync(name); process.chdir(name) }"
    const made = spawnSync(process.execPath, ['-e', deep], { cwd: join(sockets, 'closed') })
    expect(made.status).toBe(0)
    chmodSync(join(sockets, 'closed'), 0)
    await host.remove(id, sledId, 1)
    await vi.waitFor(() => expect(existsSync(at(id))).toBe(false), 60_000)
  })

  it('gets the new layers of a snapshot, and keeps no room of disks once it has ended', async () => {
    const first: Layer = { id: randomUUID(), hasBytes: false }
    const { id, disks } = await run([first])
    const second: Layer = { id: randomUUID(), hasBytes: false }
    const layers = [second, { ...first, hasBytes: true }]
    await host.setLayers(id, sledId, {
      boot: 1,
      storage: 1,
      disks: disks.map((disk) => ({ id: disk.id, layers })),
    })
    expect(await host.inspect(id, sledId)).toMatchObject({ storage: 1 })
    const [links = ''] = readdirSync(join(blobs(), 'machines')).map((one) => join(blobs(), 'machines', one))
    expect(readdirSync(links)).toEqual([id])
    // The layer of the snapshot is one that it only reads, and it has no way to write to it that it had before.
    const linked = (use: string) => readdirSync(join(links, id, use)).toSorted()
    expect([linked('read'), linked('written')]).toEqual([
      [`${first.id}.data`],
      [`${second.id}.data`, `${second.id}.qcow2`],
    ])
    const inode = statSync(dataOf(first)).ino
    const pid = (await findMachine(join(folder, 'host', id)))?.pid ?? 0
    const flags = openFiles(pid).flatMap((file) => (file.inode === inode ? [file.flags & 3] : []))
    expect(flags).toEqual([0])
    const process = await findMachine(at(id))
    if (process) await killProcess(process)
    await vi.waitFor(async () => expect(await host.inspect(id, sledId)).toMatchObject({ state: 'failed' }), {
      timeout: 60_000,
    })
    expect(readdirSync(links)).toEqual([])
  })

  it.each(['data of a disk', 'another file of the disks', 'another file with the sockets'])(
    'ends a machine whose QEMU has written too much: %s',
    async (which) => {
      await host.close()
      const { clock, look } = clockWithLooks()
      host = await createQemuHost({ ...options(), clock })
      const layer: Layer = { id: randomUUID(), hasBytes: false }
      const { id } = await run([layer])
      look()
      const [links = ''] = readdirSync(join(blobs(), 'machines')).map((one) => join(blobs(), 'machines', one))
      expect(await host.inspect(id, sledId)).toMatchObject({ state: 'running' })
      if (which === 'data of a disk') truncateSync(dataOf(layer), MiB + 1)
      for (const folder of [join(links, id, 'written'), filesIn(at(id)).run]) {
        expect(statSync(folder).mode & 0o777).toBe(0o500)
        chmodSync(folder, 0o700)
      }
      if (which === 'another file of the disks') writeFileSync(join(links, id, 'written', 'other'), 'other')
      if (which === 'another file with the sockets')
        writeFileSync(join(filesIn(at(id)).run, 'other'), 'other')
      look()
      const reason: unknown = expect.stringContaining('QEMU has written more than the disks have')
      await vi.waitFor(async () => expect(await host.inspect(id, sledId)).toMatchObject({ reason }), 60_000)
    },
  )

  it.each(['none', 'own', 'devices'] as const)(
    'a process in one cannot change what it reads, nor reach a socket or a process of the host: network %s',
    async (network) => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const own = at(randomUUID())
      const { run: sockets, log: consoleLog } = filesIn(own)
      const others = { read: join(folder, 'links', 'read'), written: join(folder, 'links', 'written') }
      for (const one of [sockets, join(own, 'read'), join(own, 'written'), others.read, others.written])
        mkdirSync(one, { recursive: true })
      writeFileSync(join(others.written, 'disk'), 'disk')
      chmodSync(others.written, 0o500)
      writeFileSync(consoleLog, '')
      writeFileSync(join(own, 'machine.json'), '{}')
      writeFileSync(join(others.read, 'image'), 'image')
      const tries = [
        `echo broken > ${own}/machine.json`,
        `echo broken > ${own}/read/image`,
        `rm ${own}/read/image`,
        `echo more > ${own}/written/other`,
        `chmod 700 ${own}/written`,
        `ln ${own}/written/disk ${own}/written/again`,
        `rm ${own}/written/disk`,
        `unshare --user true`,
        `ln -sf ${folder}/purlin.db ${consoleLog}`,
        `cat ${folder}/purlin.db`,
        `kill -0 ${process.pid}`,
        `cat /proc/${process.pid}/environ`,
        `mount -t tmpfs none /usr`,
        `cat /dev/sda /dev/vda /dev/mem`,
        `exec 3<>/dev/tcp/127.0.0.1/${port}`,
      ]
      const words = tries.map((one, i) => `( ${one} ) 2>/dev/null && echo ${i} >> ${sockets}/done`).join('\n')
      await startProcess({
        program: 'bash',
        args: ['-c', `${words}\necho end >> ${sockets}/end`],
        folder: own,
        box: {
          read: [own],
          written: [sockets, consoleLog],
          moved: [
            [join(own, 'read'), others.read, 'read'],
            [join(own, 'written'), others.written, 'written'],
          ],
          network,
        },
      })
      await vi.waitFor(() => expect(readFileSync(join(sockets, 'end'), 'utf8')).toBe('end\n'), {
        timeout: 60_000,
      })
      server.close()
      expect(existsSync(join(sockets, 'done'))).toBe(false)
      expect(readdirSync(others.written)).toEqual(['disk'])
      expect(readFileSync(join(others.read, 'image'), 'utf8')).toBe('image')
      expect(readFileSync(join(own, 'machine.json'), 'utf8')).toBe('{}')
    },
  )
})

/** The files that a process has open, with the flags that it opened them with. */
const openFiles = (pid: number) =>
  readdirSync(`/proc/${pid}/fd`).map((fd) => ({
    inode: statSync(`/proc/${pid}/fd/${fd}`).ino,
    flags: parseInt(/^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '', 8),
  }))
const mountsOf = (pid: number) => readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
const statusOf = (pid: number, thread: number | string = pid) =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
      .split('\n')
      .map((line) => line.split(':\t')),
  )
