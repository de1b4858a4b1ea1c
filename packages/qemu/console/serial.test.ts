/** The serial console of a real guest, while the process that reads it does not come to it: one boot. */
import { createHash, randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { buildGuest, noGuest } from '../testing/guest.ts'
import { whyNoQemu } from '../testing/qemu.ts'
import { sharedFolder } from '../testing/shared-hosts.ts'
import { openShell } from '../testing/shell.ts'

const MiB = 1024 ** 2
/** This process does nothing for some time. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

it.skipIf(lacks(whyNoQemu))(
  'a console has each byte once, also while its reader stands still',
  async ({ skip }) => {
    const kernel = buildGuest()
    if (!kernel) return skip(lacks(noGuest))
    const hosts = sharedFolder()
    const { host, sledId } = await hosts.open('host', { kernel })
    const web = randomUUID()
    const small = { ncpus: 1, memory: 192 * MiB, cpuPlatform: 'host' as const, disks: [], bootDiskId: null }
    await host.ensure(web, { ...exampleSpec(sledId), ...small })
    await vi.waitFor(async () => expect((await host.inspect(web, sledId))?.state).toBe('running'), 60_000)
    const shell = await openShell(host, { id: web, sledId })

    const numbers = Array.from({ length: 20_000 }, (_, i) => String(i + 1)).join('\r\n')
    const printed = shell.type('seq 20000')
    for (let times = 0; times < 20; times++) {
      standStill(100)
      await turn()
    }
    expect(await printed).toBe(numbers)

    // Input arrives in order, in however many pieces.
    const lines = Array.from({ length: 300 }, (_, i) => `line ${i} of what is typed`)
    const typed = await host.openConsole(
      { id: web, sledId },
      { last: 0 },
      { data: () => {}, closed: () => {} },
    )
    const pieces = [`cat > /typed\n`, ...lines.map((line) => `${line}\n`), '\u0004']
    for (const piece of pieces) {
      typed?.write(Buffer.from(piece))
      if (piece.includes('00')) await turn()
    }
    const hash = createHash('sha256')
      .update(lines.map((line) => `${line}\n`).join(''))
      .digest('hex')
    await vi.waitFor(async () => expect(await shell.type('sha256sum /typed')).toContain(hash), 60_000)
    typed?.close()
    shell.close()
    await hosts.close()
  },
)
