import { afterEach, beforeEach, expect, it } from 'vitest'
import { inDb } from '#/testing/networks/networks.ts'
import { testCertificate } from '#/testing/certificates.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { warnOfExpiry } from './certificates.ts'

const dayMs = 24 * 60 * 60_000
let w: TestWorld
let warnings: string[]
beforeEach(async () => {
  w = await openWorld()
  await w.plane.loops.stop()
  warnings = []
})
afterEach(() => w.close())

const add = (name: string, days: number) =>
  w.as('admin').certificateCreate({ body: testCertificate(name, { notAfter: w.clock.now() + days * dayMs }) })

/** Rounds of the loop at a time, until it wants to sleep. */
async function roundsAt(days: number): Promise<void> {
  const now = w.clock.now() + days * dayMs
  const warn = (fields: Record<string, unknown>, message: string) =>
    void warnings.push(`${String(fields['silo'])} ${String(fields['certificate'])}: ${message}`)
  const loop = warnOfExpiry({
    ...w.world,
    clock: { ...w.world.clock, now: () => now },
    log: { ...w.world.log, warn },
  })
  let rounds = 0
  while ((await loop.round()) <= now) expect(rounds++).toBeLessThan(10)
}

it('a certificate is reported once at each stage', async () => {
  await add('web', 40)
  await roundsAt(5)
  expect(warnings).toEqual([])
  for (const days of [10, 11, 26, 27, 37, 38, 40, 41]) await roundsAt(days)
  expect(warnings).toEqual([
    'acme web: a certificate expires within 30 days',
    'acme web: a certificate expires within 14 days',
    'acme web: a certificate expires within 3 days',
    'acme web: a certificate has expired',
  ])
})

it('of several stages that have come, the last one counts', async () => {
  await add('web', 2)
  await roundsAt(0)
  expect(warnings).toEqual(['acme web: a certificate expires within 3 days'])
})

it('a certificate is not reported while another one is valid for longer', async () => {
  await add('old', 10)
  await add('new', 300)
  await roundsAt(0)
  expect(warnings).toEqual([])
  await w.as('admin').certificateDelete({ params: { certificate: 'new' } })
  await roundsAt(0)
  expect(warnings).toEqual(['acme old: a certificate expires within 14 days'])
})

it('a stage that another server has reported is not reported again', async () => {
  await add('web', 10)
  await inDb(w, (tx) => tx.updateTable('certificate').set({ toldStage: 14 }).execute())
  await roundsAt(0)
  expect(warnings).toEqual([])
  await roundsAt(8)
  expect(warnings).toHaveLength(1)
})
