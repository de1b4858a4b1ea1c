import { GiB } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instancesOf, swift } from '#/testing/machines.ts'
import { answers, projectRead } from '#/testing/roles.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
beforeAll(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
  for (const name of ['cherry', 'apple', 'banana', 'a-b', 'a0']) await vm.create(name)
  await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })
})
afterAll(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const at = { params: { instance: 'apple' }, query }

describe('reading instances', () => {
  it.each([
    'instanceView',
    'instanceDiskList',
    'instanceExternalIpList',
    'instanceSshPublicKeyList',
  ] as const)('%s is for viewers of the project', async (operation) => {
    expect(await answers(w, (client) => client[operation](at))).toEqual(projectRead)
  })

  it('the list is for viewers of the project', async () => {
    expect(await answers(w, (client) => client.instanceList({ query }))).toEqual(projectRead)
  })

  it('a list has the instances of one project, by name in byte order', async () => {
    const { items, nextPage } = await w.as('viewer').instanceList({ query })
    expect(items.map((one) => one.name)).toEqual(['a-b', 'a0', 'apple', 'banana', 'cherry'])
    expect(nextPage).toBeNull()
    expect(await w.as('viewer').instanceList({ query: { project: 'elsewhere' } })).toEqual({
      items: [],
      nextPage: null,
    })
  })

  it('descending and by id on request', async () => {
    const down = await w.as('viewer').instanceList({ query: { ...query, sortBy: 'name_descending' } })
    expect(down.items.map((one) => one.name)).toEqual(['cherry', 'banana', 'apple', 'a0', 'a-b'])
    const ids = (
      await w.as('viewer').instanceList({ query: { ...query, sortBy: 'id_ascending' } })
    ).items.map((one) => one.id)
    expect(ids).toEqual(ids.toSorted())
  })

  it('a view has these fields and no others', async () => {
    const { json } = await w.raw({ url: '/v1/instances/apple?project=demo', who: 'viewer' })
    expect(Object.keys(json as object).toSorted()).toEqual(
      [
        'auto_restart_cooldown_expiration',
        'auto_restart_enabled',
        'auto_restart_policy',
        'boot_disk_id',
        'cpu_platform',
        'description',
        'hostname',
        'id',
        'last_error',
        'memory',
        'name',
        'ncpus',
        'project_id',
        'run_state',
        'time_created',
        'time_last_auto_restarted',
        'time_modified',
        'time_run_state_updated',
      ].toSorted(),
    )
    expect(json).toMatchObject({
      name: 'apple',
      memory: GiB,
      ncpus: 1,
      hostname: 'apple',
      run_state: 'stopped',
      project_id: w.ids['demo'],
    })
  })

  it('by id in either case, without a project', async () => {
    const { id } = await vm.view('apple')
    const byId = (instance: string) => w.as('projectViewer').instanceView({ params: { instance }, query: {} })
    expect(await byId(id)).toMatchObject({ name: 'apple' })
    expect(await byId(id.toUpperCase())).toMatchObject({ name: 'apple', id })
  })

  it('a missing project is named before a missing instance', async () => {
    const lost = w.as('admin').instanceView({ params: { instance: 'nope' }, query: { project: 'nowhere' } })
    await expect(lost).rejects.toMatchObject({
      status: 404,
      code: 'ObjectNotFound',
      message: 'not found: project with name "nowhere"',
    })
    const gone = w.as('admin').instanceView({ params: { instance: 'nope' }, query })
    await expect(gone).rejects.toMatchObject({ status: 404, message: 'not found: instance with name "nope"' })
  })

  it('external addresses come as a whole: no paging', async () => {
    const found = await w.raw({ url: '/v1/instances/apple/external-ips?project=demo&limit=1', who: 'viewer' })
    expect(found.json).toMatchObject({ items: [{ kind: 'snat' }], next_page: null })
  })
})
