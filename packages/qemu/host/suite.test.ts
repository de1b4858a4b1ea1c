import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VmSpec } from '@purlin/core/ports'
import { layerFile } from '@purlin/databases/layer-files'
import type { SledHarness } from '@purlin/sleds/suite/suite-harness'
import { sledSuite } from '@purlin/sleds/suite/suite'
import { describe } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { findMachine } from '../machine/launch.ts'
import { killProcess } from '../machine/process.ts'
import { hasBoxes, whyNoQemu } from '../testing/qemu.ts'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { tinyGuest } from '../testing/tiny-guest.ts'
import { createQemuHost } from './host.ts'

const MiB = 1024 ** 2
const maxWaitMs = 60_000
/** A machine that has something to report does so within this time. */
const settleMs = 700
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const later = () => Promise.reject(new Error('this driver has no such thing'))

async function open(): Promise<SledHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-suite-'))
  const blobs = join(folder, 'blobs')
  mkdirSync(blobs)
  const driver = await createQemuHost({
    folder: join(folder, 'host'),
    owner: 'a database',
    blobs,
    accelerator: 'tcg',
    hasBoxes,
    network: 'none',
    clock: realClock,
    log,
  })
  const [sled] = (await driver.hardware()).sleds
  const sledId = sled?.id ?? ''
  const kill = async (id: string) => {
    const process = await findMachine(join(folder, 'host', id))
    if (process) await killProcess(process)
  }
  const type = async (id: string, bytes: Uint8Array) => {
    const stream = await driver.openConsole({ id, sledId }, { last: 0 }, { data: () => {}, closed: () => {} })
    stream?.write(bytes)
  }

  /** Each machine has a separate disk, with a guest. */
  function adapt(spec: VmSpec): VmSpec {
    const disks = spec.disks.map((disk) => {
      const id = randomUUID()
      writeFileSync(layerFile(blobs, id, 'data'), tinyGuest())
      return { ...disk, size: 16 * MiB, layers: [{ id, hasBytes: true }] }
    })
    return { ...spec, ncpus: 1, memory: 32 * MiB, disks }
  }

  return {
    driver,
    maxWaitMs,
    adapt,
    advance: (ms) => new Promise((done) => setTimeout(done, ms === maxWaitMs ? settleMs : ms)),
    crash: kill,
    print: type,
    // Ctrl+D
    guestShutdown: (id) => type(id, Uint8Array.of(4)),
    forget: later,
    loseSled: later,
    restoreSled: later,
    restartNetworks: later,
    externalIps: later,
    carries: later,
    admits: later,
    close: async () => {
      await driver.close()
      for (const id of readdirSync(join(folder, 'host'))) await kill(id)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const local = 'the host is that of the server: it is never away'
const oneSled = 'the host has one sled; hosts that send each other machines have a separate test'
const noPackets =
  'machines have no network here; packages/netns sends packets through the kernel, with these rules and versions'
const noTraffic = 'traffic is counted on networks of the kernel only, which have a separate test'

describe.skipIf(lacks(whyNoQemu))('QEMU', () => {
  sledSuite('on this host', open, {
    'a machine that the sled lost is unknown, and ensuring the same boot starts it again': local,
    'every call to an unreachable sled throws, and its machines are unaffected': local,
    'changes on an unreachable sled are reported when it is reachable again': local,
    'a stream ends when the machine fails or is replaced, or its sled is unreachable': local,
    'a lost sled takes nothing': local,
    'a machine moves to another sled while it runs, with its console': oneSled,
    'a machine stays if the other sled does not answer, says why, and can be moved later': oneSled,
    'a machine of another boot is not moved': oneSled,
    'a machine on its way to another sled keeps its layers until it has arrived': oneSled,
    'a packet passes as rules and routes say, on one sled or between two': noPackets,
    'another version replaces everything, also an older one; the same does nothing': noPackets,
    'external addresses change while the machine runs, with another version only': noPackets,
    'an interface that is left out is gone, until another version brings it back': noPackets,
    'a sled that lost power has no networks, and takes any version': noPackets,
    'measures every interface every ten seconds': noTraffic,
    'counters of each interface never decrease': noTraffic,
    'keeps the first and the latest MiB with their offsets, and drops the middle':
      'the guest is too slow for 3 MiB; the offsets have a separate test',
  })
})
