import { kindNames, kindOf } from '@purlin/contract/rules/kinds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addInstance } from '#/testing/networks/networks.ts'
import { storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const query = { project: 'demo' }
const me = () => w.as('projectCollaborator')

beforeAll(async () => {
  w = await openWorld()
  const storage = storageOf(w)
  await storage.make('disk', { type: 'blank', blockSize: 512 })
  const snapshot = await me().snapshotCreate({
    query,
    body: { name: 'snapshot', description: '', disk: 'disk' },
  })
  const source = { type: 'snapshot' as const, id: snapshot.id }
  const image = { name: 'image', description: '', os: 'debian', version: '13', source }
  await me().imageCreate({ query, body: image })
  await me().floatingIpCreate({ query, body: { name: 'floating-ip', description: '' } })
  await me().vpcCreate({ query, body: { name: 'vpc', description: '', dnsName: 'vpc' } })
  await me().vpcSubnetDelete({ params: { subnet: 'default' }, query: { ...query, vpc: 'vpc' } })
  await addInstance(w, 'instance')
  await w.as('admin').projectCreate({ body: { name: 'project', description: '' } })
})
afterAll(() => w.close())

/** Each resource by its own operations. */
const acts = {
  project: {
    set: (body) => w.as('admin').projectUpdate({ params: { project: 'project' }, body }),
    view: () => w.as('admin').projectView({ params: { project: 'project' } }),
    list: (filter) => w.as('admin').projectList({ query: { filter } }),
    remove: () => w.as('admin').projectDelete({ params: { project: 'project' } }),
  },
  instance: {
    set: async (body) => {
      const { ncpus, memory } = await me().instanceView({ params: { instance: 'instance' }, query })
      const kept = { ncpus, memory, bootDisk: null, autoRestartPolicy: null, cpuPlatform: null }
      return me().instanceUpdate({ params: { instance: 'instance' }, query, body: { ...kept, ...body } })
    },
    view: () => me().instanceView({ params: { instance: 'instance' }, query }),
    list: (filter) => me().instanceList({ query: { ...query, filter } }),
    remove: () => me().instanceDelete({ params: { instance: 'instance' }, query }),
  },
  disk: {
    set: (body) => me().diskUpdate({ params: { disk: 'disk' }, query, body }),
    view: () => me().diskView({ params: { disk: 'disk' }, query }),
    list: (filter) => me().diskList({ query: { ...query, filter } }),
    remove: () => me().diskDelete({ params: { disk: 'disk' }, query }),
  },
  snapshot: {
    set: (body) => me().snapshotUpdate({ params: { snapshot: 'snapshot' }, query, body }),
    view: () => me().snapshotView({ params: { snapshot: 'snapshot' }, query }),
    list: (filter) => me().snapshotList({ query: { ...query, filter } }),
    remove: () => me().snapshotDelete({ params: { snapshot: 'snapshot' }, query }),
  },
  image: {
    set: (body) => me().imageUpdate({ params: { image: 'image' }, query, body }),
    view: () => me().imageView({ params: { image: 'image' }, query }),
    list: (filter) => me().imageList({ query: { ...query, filter } }),
    remove: () => me().imageDelete({ params: { image: 'image' }, query }),
  },
  floatingIp: {
    set: (body) => me().floatingIpUpdate({ params: { floatingIp: 'floating-ip' }, query, body }),
    view: () => me().floatingIpView({ params: { floatingIp: 'floating-ip' }, query }),
    list: (filter) => me().floatingIpList({ query: { ...query, filter } }),
    remove: () => me().floatingIpDelete({ params: { floatingIp: 'floating-ip' }, query }),
  },
  vpc: {
    set: (body) => me().vpcUpdate({ params: { vpc: 'vpc' }, query, body }),
    view: () => me().vpcView({ params: { vpc: 'vpc' }, query }),
    list: (filter) => me().vpcList({ query: { ...query, filter } }),
    remove: () => me().vpcDelete({ params: { vpc: 'vpc' }, query }),
  },
} satisfies Record<string, Acts>

interface Seen {
  id: string
  name: string
  protected?: boolean | undefined
}
interface Acts {
  set: (body: { protected: boolean; description?: string }) => Promise<Seen>
  view: () => Promise<Seen>
  list: (filter: string[]) => Promise<{ items: Seen[] }>
  remove: () => Promise<unknown>
}
const protectable = Object.entries<Acts>(acts)

it('these kinds can be protected, and no other', () => {
  const filtered = kindNames.filter((kind) => kindOf(kind).filters?.['protected'] !== undefined)
  expect(filtered.toSorted()).toEqual(Object.keys(acts).toSorted())
})

describe.each(protectable)('a protected %s', (_, { set, view, list, remove }) => {
  it('is not deleted before its protection is removed, and lists are filtered by it', async () => {
    expect(await view()).not.toHaveProperty('protected')
    expect(await set({ protected: true })).toMatchObject({ protected: true })
    expect(await view()).toMatchObject({ protected: true })
    const { name } = await view()
    const names = async (filter: string) => (await list([filter])).items.map((one) => one.name)
    expect(await names('protected:true')).toEqual([name])
    expect(await names('protected:false')).not.toContain(name)
    await expect(remove()).rejects.toMatchObject({
      status: 400,
      code: 'InvalidRequest',
      message: expect.stringContaining(`"${name}" is protected from deletion. Remove the protection first`),
    })
    expect(await set({ protected: false })).not.toHaveProperty('protected')
  })
})

it('a task leaves protected resources as they are, and says so', async () => {
  await acts.disk.set({ protected: true })
  const { id } = await acts.disk.view()
  const preview = await me().taskPreview({ body: { kind: 'disk', action: 'delete', ids: [id] } })
  expect(preview.skipped).toEqual([{ message: 'protected from deletion', count: 1, code: null }])
  await acts.disk.set({ protected: false })
})

it('a project is not deleted while its default VPC is protected', async () => {
  const admin = w.as('admin')
  const at = { params: { vpc: 'default' }, query: { project: 'project' } }
  await admin.vpcUpdate({ ...at, body: { protected: true } })
  await expect(acts.project.remove()).rejects.toMatchObject({
    message: 'VPC "default" is protected from deletion. Remove the protection first',
  })
  await admin.vpcUpdate({ ...at, body: { protected: false } })
})

it('a viewer cannot change the protection', async () => {
  const attempt = w.as('viewer').diskUpdate({ params: { disk: 'disk' }, query, body: { protected: true } })
  await expect(attempt).rejects.toMatchObject({ status: 403 })
})

describe.each(protectable)('after its protection, a %s', (kind, { set, remove, view }) => {
  it('keeps it when something else changes, and is deleted once it is gone', async () => {
    await set({ protected: true })
    await set({ protected: null as never, description: 'changed' })
    expect(await view()).toMatchObject({ protected: true, description: 'changed' })
    await set({ protected: false })
    // The others have been made from these.
    if (kind !== 'disk') await remove()
  })
})
