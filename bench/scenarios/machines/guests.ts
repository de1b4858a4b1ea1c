/** Real machines, by emulation: ratios of two ways on one host, measured in turn, so that its speed does not matter. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { MiB } from '@purlin/contract/rules/limits'
import type { Layer, VmSpec } from '@purlin/core/ports'
import { argumentsOf, type DirectKernel } from '@purlin/qemu/machine/arguments'
import { filesIn } from '@purlin/qemu/machine/context'
import { isAlive, killProcess, startProcess, untilEnded } from '@purlin/qemu/machine/process'
import { openQmp } from '@purlin/qemu/qmp/qmp'
import { buildGuest } from '@purlin/qemu/testing/guest'
import { findQemu } from '@purlin/qemu/testing/qemu'
import { sharedFolder, smallSpec, type SharedHost } from '@purlin/qemu/testing/shared-hosts'
import { openShell, type GuestShell } from '@purlin/qemu/testing/shell'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { median, type Figure, type Pace } from '#/figures.ts'

const lookMs = 5
/** in MiB: hundredths of a second must not matter */
const piece = 256
const startsInRound = 5
const empty = (): Layer => ({ id: randomUUID(), hasBytes: false })

export async function guestFigures({ rounds }: Pace): Promise<Figure[]> {
  const program = findQemu()
  const kernel = buildGuest()
  if (program === undefined || !kernel) throw new Error('QEMU or the packages of its guest are missing')
  const shared = sharedFolder()
  try {
    const host = await shared.open('host', { kernel, program })
    return [...(await starts(host, { program, kernel }, rounds)), ...(await disks(host, rounds))]
  } finally {
    await shared.close()
  }
}

interface Alone {
  program: string
  kernel: DirectKernel
}

/** Both until the guest is let go: its boot is in neither. */
async function starts(host: SharedHost, alone: Alone, rounds: number): Promise<Figure[]> {
  const times = { driver: [] as number[], alone: [] as number[] }
  // The first ones fill the caches of the host.
  await startByDriver(host)
  await startAlone(host.sledId, alone)
  for (let i = 0; i < rounds * startsInRound; i++) {
    times.driver.push(await startByDriver(host))
    times.alone.push(await startAlone(host.sledId, alone))
  }
  const ratios = times.driver.map((time, i) => time / (times.alone[i] ?? 0))
  return [
    { name: 'start by the driver', value: median(times.driver), unit: 'ms' },
    { name: 'start of QEMU alone', value: median(times.alone), unit: 'ms' },
    { name: 'start, compared with QEMU alone', value: median(ratios), unit: '×' },
  ]
}

async function startByDriver({ host, sledId }: SharedHost): Promise<number> {
  const id = randomUUID()
  const runs = Promise.withResolvers<void>()
  const end = host.watch((status) => {
    if (status.id === id && status.state === 'running') runs.resolve()
    if (status.id === id && status.state === 'failed') runs.reject(new Error(status.reason))
  })
  const began = performance.now()
  await host.ensure(id, smallSpec(sledId, [empty(), empty()]))
  await runs.promise
  const took = performance.now() - began
  end()
  await host.remove(id, sledId, 1)
  while (await host.inspect(id, sledId)) await wait(lookMs)
  return took
}

/** With the same devices, a raw file as its disk, and no box. */
async function startAlone(sledId: string, { program, kernel }: Alone): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-alone-'))
  const id = randomUUID()
  const spec = smallSpec(sledId, [])
  const { seed, tables: _, log, run, ...sockets } = filesIn(folder)
  for (const one of [run, seed]) mkdirSync(one)
  const filename = join(folder, 'disk')
  writeFileSync(filename, '')
  const file = { driver: 'file', filename, discard: 'unmap' } as const
  const node = { driver: 'raw', 'node-name': 'disk', 'read-only': false, file }
  const args = argumentsOf({
    id,
    spec,
    accelerator: 'tcg',
    network: 'none',
    disks: [[node]],
    seed,
    sockets,
    consoleLog: log,
    kernel,
  })
  const began = performance.now()
  const process = await startProcess({ program, args, folder, box: undefined })
  if (!process) throw new Error('QEMU does not start')
  const on = { event: () => undefined, end: () => undefined }
  const qmp = await openQmp({ path: sockets.qmp, clock: realClock, isAlive: () => isAlive(process), on })
  await qmp.run('query-status')
  const took = performance.now() - began
  qmp.close()
  await killProcess(process)
  await untilEnded(process, realClock)
  rmSync(folder, { recursive: true })
  return took
}

/** One guest with a disk in two layers, and one in a single layer, which QEMU has as a raw file. */
async function disks({ host, sledId }: SharedHost, rounds: number): Promise<Figure[]> {
  const id = randomUUID()
  const [first] = smallSpec(sledId, []).disks
  if (!first) throw new Error('the example has a disk')
  const size = (rounds + 1) * piece * MiB
  const spec: VmSpec = smallSpec(sledId, [], {
    bootDiskId: null,
    nics: [],
    memory: 256 * MiB,
    disks: [
      { ...first, size, layers: [empty(), empty()] },
      { ...first, size, id: randomUUID(), name: 'raw', slot: 1, layers: [empty()] },
    ],
  })
  await host.ensure(id, spec)
  while ((await host.inspect(id, sledId))?.state === 'starting') await wait(lookMs)
  const shell = await openShell(host, { id, sledId })
  const found = { write: [] as number[], read: [] as number[] }
  for (let i = 0; i <= rounds; i++)
    for (const work of ['write', 'read'] as const) {
      const layered = await speedOf(shell, { disk: 'vda', work, at: i })
      const raw = await speedOf(shell, { disk: 'vdb', work, at: i })
      // The guest translates its code in the first ones.
      if (i > 0) found[work].push(layered / raw)
    }
  shell.close()
  return (['write', 'read'] as const).map((work) => ({
    name: `${work} of a disk, compared with a raw file`,
    value: median(found[work]),
    unit: '×',
  }))
}

interface Transfer {
  disk: string
  work: 'write' | 'read'
  /** in pieces */
  at: number
}

/** In bytes per second, by the clock of the guest, past its cache. */
async function speedOf(shell: GuestShell, { disk, work, at }: Transfer): Promise<number> {
  const transfer =
    work === 'write'
      ? `dd if=/dev/zero of=/dev/${disk} bs=1M seek=${at * piece} count=${piece} conv=fsync`
      : `dd if=/dev/${disk} of=/dev/null bs=1M skip=${at * piece} count=${piece}`
  await shell.type('sync; echo 3 > /proc/sys/vm/drop_caches')
  const said = await shell.type(`cat /proc/uptime; ${transfer} 2>/dev/null; cat /proc/uptime`)
  const [began = 0, ended = 0] = said.split('\n').map((line) => Number.parseFloat(line))
  if (ended <= began) throw new Error(`the guest has measured nothing: ${said}`)
  return (piece * MiB) / (ended - began)
}
