/** A machine whose networks cannot be made: QEMU never starts. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SledUnreachable } from '@purlin/core/ports'
import type { HostNetworks } from '@purlin/netns/privileged/networks'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { hasBoxes, whyNoQemu } from '../testing/qemu.ts'
import { createQemuHost } from './host.ts'

it.skipIf(lacks(whyNoQemu))(
  'a start waits for the networks of its host, and gives no command as its reason',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'purlin-host-'))
    mkdirSync(join(folder, 'blobs'))
    const held = vi.fn<HostNetworks['held']>(() => Promise.reject(new SledUnreachable('it does not answer')))
    const nothing = () => Promise.resolve()
    const network: HostNetworks = {
      held,
      named: () => Promise.resolve({ tunnelAddress: null, external: [] }),
      prepare: () => Promise.reject(new Error('ip tuntap add dev n1: Device or resource busy')),
      set: nothing,
      connect: nothing,
      release: nothing,
      traffic: () => Promise.resolve([]),
      clear: nothing,
    }
    const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    const host = await createQemuHost({
      folder: join(folder, 'host'),
      owner: 'a database',
      blobs: join(folder, 'blobs'),
      accelerator: 'tcg',
      hasBoxes,
      network,
      clock: realClock,
      log,
    })
    const web = randomUUID()
    const sledId = (await host.hardware()).sleds[0]?.id ?? ''
    const spec = { ...exampleSpec(sledId), cpuPlatform: 'host' as const, disks: [] }
    await expect(host.ensure(web, spec)).rejects.toThrow(SledUnreachable)
    expect(await host.inspect(web, sledId)).toBeNull()
    held.mockResolvedValue([])
    await host.ensure(web, spec)
    const failed = { state: 'failed', reason: 'the host cannot connect the machine to its network' }
    await vi.waitFor(async () => expect(await host.inspect(web, sledId)).toMatchObject(failed), 60_000)
    expect(log.warn).toHaveBeenCalled()
    await host.close()
    rmSync(folder, { recursive: true })
  },
)
