import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { whyNoQemu } from '../testing/qemu.ts'
import { sharedFolder } from '../testing/shared-hosts.ts'
import { readMachineTypes } from './machine-types.ts'

const MiB = 1024 ** 2
const older = 'pc-q35-5.2'

it.skipIf(lacks(whyNoQemu))(
  'a guest keeps the type of its machine with a later QEMU that has it',
  async () => {
    const hosts = sharedFolder()
    const { host, sledId, processOf } = await hosts.open('host')
    const web = randomUUID()
    const cpu = { ncpus: 1, cpuPlatform: 'host' as const }
    const spec = { ...exampleSpec(sledId), ...cpu, memory: 32 * MiB, disks: [] }
    /** The type of a boot, by its report and by its command line. */
    async function boot(number: number, machineType?: string) {
      await host.ensure(web, { ...spec, boot: number, ...(machineType === undefined ? {} : { machineType }) })
      const isRunning = { state: 'running', boot: number }
      await vi.waitFor(async () => expect(await host.inspect(web, sledId)).toMatchObject(isRunning), 60_000)
      const pid = (await processOf(web))?.pid ?? 0
      const [, inUse] = /-machine\0([^,]+),/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? []
      expect((await host.inspect(web, sledId))?.machineType).toBe(inUse)
      return inUse
    }
    const newest = await boot(1)
    expect(newest).toMatch(/^pc-q35-\d/)
    expect(newest).not.toBe(older)
    expect(await boot(2, older)).toBe(older)
    expect(await boot(3, 'pc-q35-99.0')).toBe(newest)
    expect(await boot(4, 'none,accel=x')).toBe(newest)
    await host.remove(web, sledId, 4)
    await vi.waitFor(async () => expect(await host.inspect(web, sledId)).toBeNull(), 60_000)
    await hosts.close()
  },
)

it('a QEMU that does not answer gives what it has under the name of all', async () => {
  expect((await readMachineTypes('no-such-program')).choose(older)).toBe('q35')
})
