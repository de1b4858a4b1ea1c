/** Hardware and updates in the wrong role, with wrong values and in the wrong order. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fleetId } from '#/db/rows/fleet.ts'
import { grant } from '#/seed/rows.ts'
import { instancesOf, rowOf, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, dump } from '#/testing/state.ts'
import { rootDocument, updateFixture } from '#/testing/updates/fixtures.ts'
import { openWorld, sha256, type RawRequest, type TestWorld, type Who } from '#/testing/world.ts'

const hardware = '/v1/system/hardware'
const update = '/v1/system/update'
const ports = `${hardware}/switch-port`

let w: TestWorld
let ids: { sled: string; disk: string; port: string; switch: string; rack: string }
beforeEach(async () => {
  w = await openWorld({ sha256, timings: swift, rack: { sleds: 3, spare: 1, cpuFamilies: ['amd_milan'] } })
  const first = { query: { limit: 1 } }
  const [sled] = (await fleet().sledList(first)).items
  const [disk] = (await fleet().physicalDiskList(first)).items
  const [port] = (await fleet().networkingSwitchPortList(first)).items
  ids = {
    sled: sled?.id ?? '',
    rack: sled?.rackId ?? '',
    disk: disk?.id ?? '',
    port: port?.portName ?? '',
    switch: port?.switchId ?? '',
  }
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const fleet = () => w.as('fleetAdmin')
const at = (sledId: string) => ({ params: { sledId } })
const refusal = (status: number, message: string) =>
  expect.objectContaining({ status, message: expect.stringContaining(message) })

type Request = readonly [method: string, url: string, body?: unknown]
const ask = ([method, url, body]: Request, who: Who) => {
  const request: RawRequest = { method, url, who }
  return w.raw(body === undefined ? request : { ...request, body: JSON.stringify(body) })
}
const portUrl = (what: string, { port = ids.port, rack = ids.rack, location = 'switch0' } = {}) =>
  `${ports}/${port}/${what}?rack_id=${rack}&switch_location=${location}`

const ofSled = (id = ids.sled): Request[] => [
  ['PUT', `${hardware}/sleds/${id}/provision-policy`, { state: 'non_provisionable' }],
  ['POST', `${hardware}/sleds/${id}/maintenance`, {}],
  ['DELETE', `${hardware}/sleds/${id}/maintenance`],
  ['POST', `${hardware}/sleds/${id}/expunge`],
]
const writes = (instance: string): Request[] => [
  ...ofSled(),
  ['POST', `${hardware}/sleds`, { part: '410-2100317', serial: 'PRS26140029' }],
  ['POST', `${hardware}/disks/${ids.disk}/expunge`],
  ['POST', `/v1/system/instances/${instance}/move?or_stop=true`],
  ['POST', portUrl('settings'), { port_settings: 'uplink' }],
  ['DELETE', portUrl('settings')],
  ['PUT', `${update}/target-release`, { system_version: '1.0.0' }],
  ['POST', `${update}/pause`],
  ['POST', `${update}/resume`],
  ['POST', `${update}/trust-roots`, rootDocument()],
  ['POST', `${update}/uploads`, { file_name: 'x.zip', size: 10 }],
]

/** Asks, and expects a refusal with one of these statuses and a message, which changes nothing. */
async function expectRefusals(requests: readonly Request[], who: Who, statuses: readonly number[]) {
  const before = await dump(w)
  for (const request of requests) {
    const { status, json, text } = await ask(request, who)
    const label = `${who}: ${request[0]} ${request[1].slice(0, 120)} ${JSON.stringify(request[2])?.slice(0, 80)}`
    expect(statuses, `${label}: ${status} ${text.slice(0, 200)}`).toContain(status)
    expect(json?.message, label).toMatch(/^\w{3,}/)
  }
  await w.settle()
  expect(await dump(w)).toEqual(before)
}

it('only administrators of the fleet change hardware and updates, and only the fleet sees it', async () => {
  const vm = instancesOf(w)
  await vm.create('web', { start: true })
  await w.advance(200)
  const { id, sledId } = await rowOf(w, 'web')
  await inDb(w, (tx) =>
    grant(tx, {
      resourceType: 'fleet',
      resourceId: fleetId,
      identityType: 'silo_user',
      identityId: w.ids['noRole'] ?? '',
      roleName: 'viewer',
    }),
  )
  const instances: Request = ['GET', `${hardware}/sleds/${sledId}/instances`]
  expect((await ask(instances, 'noRole')).json.items).toMatchObject([{ id }])
  const reads: Request[] = [
    instances,
    ['GET', `${hardware}/sleds/${sledId}`],
    ['GET', `${hardware}/sleds/${sledId}/maintenance/plan`],
    ['GET', `${hardware}/disks/${ids.disk}`],
    ['GET', portUrl('status')],
    ['GET', `${update}/components`],
  ]
  await expectRefusals(writes(id), 'noRole', [403])
  for (const who of ['admin', 'projectAdmin', 'stranger'] as const)
    await expectRefusals([...writes(id), ...reads], who, [403, 404])
  // A task can do no more than its owner.
  const query = '/v1/instances?project=demo'
  for (const action of ['move', 'move_or_stop'] as const) {
    const { id: task } = await w.as('admin').taskCreate({ body: { kind: 'instance', action, query } })
    await w.advance(5_000)
    expect(await w.as('admin').taskView({ params: { task } })).toMatchObject({ failed: 1, succeeded: 0 })
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', sledId, migrationId: null })
  }
})

it('values that are none are refused with a sentence, and change nothing', async () => {
  const { demo = '', acme = '', public: pool = '' } = w.ids
  const wrongIds = [
    demo,
    acme,
    pool,
    ids.disk,
    ids.rack,
    '-1',
    '0',
    'null',
    '%00',
    '%F0%9F%92%A5',
    '..%2F..',
    "'%20OR%201%3D1",
    'x'.repeat(3_000),
    `${ids.sled}0`,
  ]
  const ofIds = wrongIds.flatMap((id): Request[] => [
    ...ofSled(id),
    ['GET', `${hardware}/sleds/${id}`],
    ['GET', `${hardware}/sleds/${id}/maintenance/plan`],
    ['GET', `${hardware}/sleds/${id}/metrics/threads`],
    ['GET', `${hardware}/sleds/${ids.sled}/metrics/${id}`],
    ['POST', `/v1/system/instances/${id}/move`],
    ['DELETE', portUrl('settings', { port: id })],
    ['DELETE', portUrl('settings', { rack: id === ids.rack ? demo : id })],
    ['DELETE', portUrl('settings', { location: id })],
    ['GET', `${update}/repositories/${id}`],
    ['GET', `${update}/plan?system_version=${id}`],
    ['GET', `${update}/uploads/${id}`],
    ['DELETE', `${update}/trust-roots/${id}`],
    ...(id === ids.disk ? [] : ([['POST', `${hardware}/disks/${id}/expunge`]] satisfies Request[])),
  ])
  await expectRefusals(ofIds, 'fleetAdmin', [400, 404, 414])

  const values = [null, true, -1, 1e308, '', 'x', 'x'.repeat(100_000), '\u0000', [], ['a'], {}, { a: 1 }]
  const [policy] = ofSled()
  const ofBodies = values.flatMap((value): Request[] => [
    ['PUT', policy?.[1] ?? '', { state: value }],
    ['PUT', policy?.[1] ?? '', value],
    ['POST', `${hardware}/sleds`, { part: value, serial: 'PRS26140029' }],
    ['POST', `${hardware}/sleds`, { part: '410-2100317', serial: value }],
    ['POST', portUrl('settings'), { port_settings: value }],
    ['PUT', `${update}/target-release`, { system_version: value }],
    ['POST', `${update}/trust-roots`, value],
    ['POST', `${update}/uploads`, { file_name: 'x.zip', size: value }],
    ...(typeof value === 'boolean'
      ? []
      : ([
          ['POST', `${hardware}/sleds/${ids.sled}/maintenance`, { stop_unmovable: value }],
        ] satisfies Request[])),
  ])
  await expectRefusals(
    ofBodies.filter(([, , body]) => JSON.stringify(body) !== '{"stop_unmovable":null}'),
    'fleetAdmin',
    [400, 404, 413],
  )

  const lists = ['sleds', 'disks', 'racks', 'switches', 'switch-port']
  const queries = ['limit=0', 'limit=-1', 'limit=1e9', 'limit=x', 'page_token=x', 'sort_by=price']
  const ofQueries = lists.flatMap((list) =>
    queries.map((query): Request => ['GET', `${hardware}/${list}?${query}`]),
  )
  await expectRefusals(
    [...ofQueries, ['GET', `${hardware}/sleds/${ids.sled}/metrics/threads?start_time=soon&end_time=later`]],
    'fleetAdmin',
    [400],
  )
})

it('steps in the wrong order are refused or do nothing', async () => {
  const vm = instancesOf(w, 'admin')
  await vm.create('web', { start: true })
  await w.advance(200)
  const { id, sledId } = await rowOf(w, 'web')
  const here = at(sledId ?? '')
  const { taskId } = await fleet().sledMaintenanceStart({ ...here, body: {} })
  await w.settle()
  await expect(fleet().sledExpunge(here)).rejects.toEqual(refusal(400, 'begin its maintenance'))
  await w.advance(5_000)
  const task = { params: { task: taskId ?? '' } }
  const ended = await fleet().taskView(task)
  expect(ended).toMatchObject({ state: 'completed', succeeded: 1 })
  // A task that has ended stays as it has ended.
  await fleet()
    .taskCancel(task)
    .catch((error: unknown) => expect(error).toEqual(refusal(400, 'ended')))
  expect(await fleet().taskView(task)).toMatchObject({ state: 'completed', timeEnded: ended.timeEnded })
  await fleet().sledMaintenanceEnd(here)
  const given = await fleet().sledView(here)
  await fleet().sledMaintenanceEnd(here)
  expect(await fleet().sledView(here)).toEqual(given)

  // On a sled that is out of service for good.
  await fleet().sledExpunge(here)
  const gone = await fleet().sledView(here)
  expect(gone).toMatchObject({ policy: { kind: 'expunged' } })
  expect(await fleet().sledExpunge(here)).toEqual(gone)
  await expect(fleet().sledMaintenanceStart({ ...here, body: {} })).rejects.toEqual(
    refusal(400, 'out of service for good'),
  )
  await expect(fleet().sledSetProvisionPolicy({ ...here, body: { state: 'provisionable' } })).rejects.toEqual(
    refusal(400, 'out of service for good'),
  )
  await fleet().sledMaintenanceEnd(here)
  expect(await fleet().sledView(here)).toEqual(gone)
  expect((await fleet().sledMaintenancePlan({ ...here, query: {} })).items).toEqual([])

  // The same host twice at once is one sled.
  const board = {
    part: '',
    serial: '',
    ...(await fleet().sledListUninitialized({ query: {} })).items[0]?.baseboard,
  }
  const add = () => fleet().sledAdd({ body: { part: board.part, serial: board.serial } })
  const both = await Promise.allSettled([add(), add()])
  const added = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
  expect(new Set(added).size).toBe(1)
  await expect(add()).rejects.toEqual(refusal(400, 'already exists'))
  const same = (await fleet().sledList({ query: {} })).items.filter(
    ({ baseboard: { serial } }) => serial === board.serial,
  )
  expect(same).toHaveLength(1)

  // Another disk is still in service when the first one is out.
  const disk = { params: { diskId: (await fleet().physicalDiskList({ query: {} })).items[0]?.id ?? '' } }
  const out = await fleet().physicalDiskExpunge(disk)
  expect(out).toMatchObject({ policy: { kind: 'expunged' }, state: 'decommissioned' })
  expect(await fleet().physicalDiskExpunge(disk)).toEqual(out)

  // An instance that is not running stays where it is.
  await vm.stop('web')
  await w.advance(200)
  expect(await fleet().instanceMove({ params: { instance: id }, query: {} })).toMatchObject({
    state: 'stopped',
  })
})

it('a new target during a roll-out is where it ends, whichever step was under way', async () => {
  await fleet().systemUpdateTrustRootCreate({ query: {}, body: rootDocument() })
  for (const version of ['1.0.0', '1.1.0', '1.2.0'])
    await fleet().systemUpdateRepositoryUpload({
      query: { fileName: `${version}.zip` },
      body: updateFixture(`${version}.zip`),
    })
  const target = (systemVersion: string) => fleet().targetReleaseUpdate({ body: { systemVersion } })
  const status = () => fleet().systemUpdateStatus({})
  await target('1.1.0')
  for (let i = 0; (await status()).step?.kind !== 'sled'; i++) {
    expect(i).toBeLessThan(300)
    await w.advance(2_000)
  }
  const { step } = await status()
  await expect(target('1.0.0')).rejects.toEqual(refusal(400, 'must not be older'))
  await expect(target('9.9.9')).rejects.toEqual(refusal(404, 'not found'))
  await target('1.1.0')
  expect((await status()).step).toEqual(step)
  await target('1.2.0')
  // Its trust root is needed to accept a repository, and not to install it.
  const [root] = (await fleet().systemUpdateTrustRootList({ query: {} })).items
  await fleet().systemUpdateTrustRootDelete({ params: { trustRootId: root?.id ?? '' } })
  for (let i = 0; (await status()).componentsByReleaseVersion['1.2.0'] !== 8; i++) {
    expect(i).toBeLessThan(300)
    await w.advance(2_000)
  }
  await w.advance(10_000)
  expect(await status()).toMatchObject({ step: null, next: null, waitsFor: null, suspended: false })
  expect((await fleet().sledList({ query: {} })).items).toMatchObject(
    Array.from({ length: 3 }, () => ({ maintenance: null, policy: { provisionPolicy: 'provisionable' } })),
  )
  expect(await fleet().systemUpdateRepositoryView({ params: { systemVersion: '1.2.0' } })).toBeTruthy()
})
