import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createHolderEpochs } from '@purlin/core/ports'
import { giveDisplay } from '@purlin/core/testing/consoles/fake-display'
import { manualClock } from '@purlin/sleds/manual-clock'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { web } from '@purlin/sleds/suite/suite-harness'
import { hostIdentity, makeAuthority, serverIdentity } from './authority.ts'
import { connectHost } from './remote-host.ts'
import { createHostServer } from './serve.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

it('carries a screen both ways, waits for a reader that stands still, and says why it ends', async () => {
  const authority = await makeAuthority()
  const driver = createSimulatedSleds({ clock: manualClock() })
  const display = giveDisplay(driver)
  const identity = await hostIdentity(authority, 'one')
  const server = createHostServer({ driver, identity, log, version: '1', epochs: createHolderEpochs() })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ours = await serverIdentity(authority)
  const host = connectHost(
    { id: 'one', address: '127.0.0.1', port: (server.address() as AddressInfo).port },
    { identity: () => Promise.resolve(ours), clock: realClock, log },
  )
  let got = 0
  const ended = Promise.withResolvers<string>()
  const stream = await host.openDisplay(
    { id: web, sledId: 'a sled' },
    { data: (bytes) => (got += bytes.length), closed: ended.resolve },
  )
  await expect.poll(() => got).toBe(12)
  stream?.write(Uint8Array.of(1, 2, 3))
  await expect.poll(() => display.got).toEqual([1, 2, 3])

  stream?.setPaused(true)
  let sent = 0
  const piece = new Uint8Array(64 * 1024)
  const fill = () => {
    if (!display.log.includes('pause')) {
      display.clients[0]?.data(piece)
      sent += piece.length
    }
    return display.log[0]
  }
  await expect.poll(fill).toBe('pause')
  expect(got).toBeLessThan(12 + sent)
  stream?.setPaused(false)
  await expect.poll(() => got).toBe(12 + sent)
  await expect.poll(() => display.log.at(-1)).toBe('resume')

  display.clients[0]?.closed('VM stopped')
  expect(await ended.promise).toBe('VM stopped')
  host.close()
  server.close()
})
