/** The memory that a real guest says that it uses: one boot. */
import { randomUUID } from 'node:crypto'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { buildGuest, noGuest } from '../testing/guest.ts'
import { whyNoQemu } from '../testing/qemu.ts'
import { sharedFolder } from '../testing/shared-hosts.ts'
import { openShell } from '../testing/shell.ts'

const MiB = 1024 ** 2

it.skipIf(lacks(whyNoQemu))('a guest says how much memory it uses', async ({ skip }) => {
  const kernel = buildGuest()
  if (!kernel) return skip(lacks(noGuest))
  const hosts = sharedFolder()
  const { host, sledId } = await hosts.open('host', { kernel })
  const web = randomUUID()
  const small = { ncpus: 1, memory: 192 * MiB, cpuPlatform: 'host' as const, disks: [], bootDiskId: null }
  await host.ensure(web, { ...exampleSpec(sledId), ...small })
  await vi.waitFor(async () => expect((await host.inspect(web, sledId))?.state).toBe('running'), 60_000)
  const shell = await openShell(host, { id: web, sledId })
  /** The newest value of a source, later than a time. */
  const used = async (source: 'guest' | 'host', after = 0) => {
    const { machines } = await host.samples(sledId, null)
    const all = machines.flatMap(({ measures }) => measures)
    const own = all.filter(({ series }) => series[0]?.labels['source'] === source)
    const values = own.flatMap(({ times, series }) =>
      times.map((time, i) => [time, Number(series[0]?.values[i])]),
    )
    const [time = 0, value = 0] = values.at(-1) ?? []
    return time > after ? value : 0
  }
  const patient = { timeout: 120_000, interval: 500 }
  await vi.waitFor(async () => expect(await used('guest')).toBeGreaterThan(MiB), patient)
  const before = await used('guest')
  expect(before).toBeLessThan(192 * MiB)
  await shell.type('dd if=/dev/urandom of=/taken bs=1M count=48')
  await vi.waitFor(
    async () => expect(await used('guest', Date.now() - 15_000)).toBeGreaterThan(before + 32 * MiB),
    patient,
  )
  shell.close()
  await hosts.close()
})
