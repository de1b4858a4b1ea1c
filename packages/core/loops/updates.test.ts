/** The roll-out of a release on simulated sleds. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addInstance } from '#/testing/networks/networks.ts'
import { skipsLong } from '#/testing/samples.ts'
import { rootDocument, updateFixture } from '#/testing/updates/fixtures.ts'
import { openWorld, sha256, type TestWorld } from '#/testing/world.ts'

const root = '/v1/system/update'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld({ sha256, rack: { sleds: 3 } })
  const admin = world.as('fleetAdmin')
  await admin.systemUpdateTrustRootCreate({ query: {}, body: rootDocument() })
  for (const version of ['1.0.0', '1.1.0', '1.2.0'])
    await admin.systemUpdateRepositoryUpload({
      query: { fileName: `${version}.zip` },
      body: updateFixture(`${version}.zip`),
    })
  await world.settle()
})
afterEach(() => world.close())

const status = async () => (await world.raw({ url: `${root}/status`, who: 'fleetAdmin' })).json
const setTarget = (systemVersion: string) =>
  world.as('fleetAdmin').targetReleaseUpdate({ body: { systemVersion } })
const post = (path: string) => world.raw({ method: 'POST', url: `${root}/${path}`, who: 'fleetAdmin' })

/** Advances until the status fits, and returns the units that were updated, in their order. */
async function until(
  fits: (now: Awaited<ReturnType<typeof status>>) => boolean,
  { lost = 0 } = {},
): Promise<string[]> {
  const units: string[] = []
  for (let rounds = 0; rounds < 300; rounds++) {
    const now = await status()
    if (now.step && units.at(-1) !== now.step.kind + now.step.id) units.push(now.step.kind + now.step.id)
    if (fits(now)) return units
    await world.advance(2_000)
    const { sleds, switches } = await world.sleds.hardware()
    expect(sleds.length + switches.length).toBeGreaterThanOrEqual(4 - lost)
  }
  throw new Error(`not within the rounds: ${JSON.stringify(await status())}`)
}
const isAt = (version: string) => (now: { components_by_release_version: Record<string, number> }) =>
  now.components_by_release_version[version] === 8

it('goes on from unit to unit, switches first, and moves instances away before a sled restarts', async () => {
  const { id } = await addInstance(world, 'busy', { start: true })
  await world.advance(10_000)
  expect((await status()).components_by_release_version).toEqual({ '1.0.0': 8 })
  const plan = (await world.raw({ url: `${root}/plan?system_version=1.1.0`, who: 'fleetAdmin' })).json.items
  expect(plan.map((step: { kind: string }) => step.kind)).toEqual([
    'switch',
    'switch',
    'sled',
    'sled',
    'sled',
  ])
  expect(plan.reduce((sum: number, step: { instances: number }) => sum + step.instances, 0)).toBe(1)
  await setTarget('1.1.0')
  const counted = new Set<number>()
  const units = await until((now) => {
    const counts = Object.values<number>(now.components_by_release_version)
    counted.add(counts.reduce((sum, count) => sum + count, 0))
    return isAt('1.1.0')(now)
  })
  // Those that restart are counted.
  expect([...counted]).toEqual([8])
  expect(units).toEqual(plan.map((step: { kind: string; id: string }) => step.kind + step.id))
  await world.advance(10_000)
  expect(await status()).toMatchObject({ step: null, next: null, waits_for: null, suspended: false })
  const list = await world.as('fleetAdmin').systemUpdateComponentList({ query: {} })
  expect(new Set(list.items.map(({ state, version, wanted }) => `${state} ${version} ${wanted}`))).toEqual(
    new Set(['current 1.1.0 1.1.0']),
  )
  const { json } = await world.raw({ url: '/v1/system/hardware/sleds', who: 'fleetAdmin' })
  expect(json.items.map((sled: { maintenance: object | null }) => sled.maintenance)).toEqual([
    null,
    null,
    null,
  ])
  const instance = await world.as('admin').instanceView({ params: { instance: id }, query: {} })
  expect(instance.runState).toBe('running')
})

it.skipIf(skipsLong())('can be paused and resumed, and continues after a restart of the server', async () => {
  expect((await post('pause')).status).toBe(400)
  await setTarget('1.1.0')
  await until(({ step }) => step?.kind === 'sled')
  expect((await post('pause')).status).toBe(204)
  await until(({ step }) => step === null)
  await world.advance(60_000)
  const { paused, waits_for: waits, step } = await status()
  expect([typeof paused, waits, step]).toEqual(['string', 'an operator to resume it', null])
  await post('resume')
  await until((now) => now.step?.phase === 'installing')
  // It restarts on purpose.
  await world.settle()
  expect(await world.as('fleetAdmin').attentionList({ query: {} })).toMatchObject({ items: [] })
  const { items: components } = await world.as('fleetAdmin').systemUpdateComponentList({ query: {} })
  const states = components.map(({ state }) => state)
  expect(states).toContain('updating')
  expect(states).not.toContain('missing')
  // The rack is like one that lost power: it has its old software.
  await world.restart()
  await until(isAt('1.1.0'))
})

it.skipIf(skipsLong())(
  'waits while a sled does not answer, says so, and is a stall after a while',
  async () => {
    await setTarget('1.1.0')
    const { sleds } = await world.sleds.hardware()
    world.sleds.loseSled(sleds[2]?.id ?? '')
    await until(({ waits_for: waits }) => /^sled \S+ to answer again, or to be expunged$/.test(waits ?? ''), {
      lost: 1,
    })
    await world.advance(11 * 60_000)
    const { json } = await world.raw({ url: '/v1/system/attention', who: 'fleetAdmin' })
    const stall = json.items.find(({ kind }: { kind: string }) => kind === 'update_stalled')
    expect(stall?.text).toMatch(
      /^The update to release 1\.1\.0 waits for sled \S+ to answer again, or to be expunged\.$/,
    )
    world.sleds.restoreSled(sleds[2]?.id ?? '')
    await until(isAt('1.1.0'))
  },
)

it.skipIf(skipsLong())('is suspended while support has installed another release by hand', async () => {
  await setTarget('1.1.0')
  await until(isAt('1.1.0'))
  const [component] = (await world.sleds.hardware()).components
  await world.sleds.install(component?.id ?? '', { version: '1.2.0', hash: '' })
  await world.advance(60_000)
  await until(({ suspended }) => suspended)
  await setTarget('1.2.0')
  await until((now) => !now.suspended && isAt('1.2.0')(now))
})
