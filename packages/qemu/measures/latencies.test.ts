import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Distribution } from '@purlin/core/ports'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { afterEach, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { openQmp, type Qmp } from '../qmp/qmp.ts'
import { findQemu, whyNoQemu } from '../testing/qemu.ts'
import { diskDevice } from '../machine/arguments.ts'
import { Meter } from './meter.ts'

let folder = ''
let qemu: ChildProcess | undefined
let qmp: Qmp | undefined
afterEach(() => {
  qmp?.close()
  qemu?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

it.skipIf(lacks(whyNoQemu))(
  'durations of operations are counted, and continue for the next process',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'purlin-latencies-'))
    const path = join(folder, 'qmp')
    const disks = exampleSpec('sled').disks.slice(0, 1)
    const device = diskDevice(disks[0]?.slot ?? 0)
    const machine = ['-machine', 'q35', '-accel', 'tcg', '-m', '64', '-nodefaults', '-display', 'none', '-S']
    const disk = '{"driver":"null-co","node-name":"n0","size":1048576}'
    const socket = ['-qmp', `unix:${path},server=on,wait=off`]
    const devices = [
      '-device',
      'pcie-root-port,id=p0',
      '-device',
      `virtio-blk-pci,drive=n0,id=${device},bus=p0`,
    ]
    const all = [...machine, '-blockdev', disk, ...devices, ...socket]
    qemu = spawn(findQemu() ?? '', all, { stdio: 'ignore' })
    const on = { event: () => undefined, end: () => undefined }
    qmp = await openQmp({ path, clock: realClock, isAlive: () => qemu?.exitCode === null, on })
    const measured = {
      id: 'web',
      boot: 1,
      disks,
      nics: [],
      pid: qemu.pid ?? 0,
      accelerator: 'tcg',
      qmp,
    } as const
    const io = (command: string) =>
      qmp?.run('human-monitor-command', {
        'command-line': `qemu-io -d /machine/peripheral/${device}/virtio-backend "${command}"`,
      })
    const counted = async () => {
      const meter = await Meter.open(measured, 0)
      await meter.sample(10_000, Promise.resolve([]), new AbortController().signal)
      const series = meter.samples(0, 10_000).measures.flatMap((one) => one.series)
      const found = series.filter(({ metric }) => metric === 'io_latency')
      return found.map(({ labels, values }) => [labels['io_kind'], values[0] as Distribution] as const)
    }
    const none = { counts: Array.from({ length: 12 }, () => 0), min: 0, max: 0, sum: 0, squaredMean: 0 }
    expect(await counted()).toMatchObject([
      ['read', none],
      ['write', none],
      ['flush', none],
    ])
    await io('aio_read -q 0 4k')
    await io('aio_flush')
    const [read, write, flush] = (await counted()).map(([, values]) => values)
    if (!read || !write || !flush) throw new Error('a kind is missing')
    const total = ({ counts }: Distribution) => counts.reduce((sum, one) => sum + one, 0)
    expect([read, write, flush].map(total)).toEqual([1, 0, 1])
    expect(read.counts).toHaveLength(read.edges.length)
    expect(read.sum).toBeGreaterThanOrEqual(read.min)
    expect(read.sum).toBeLessThanOrEqual(read.max)
  },
)
