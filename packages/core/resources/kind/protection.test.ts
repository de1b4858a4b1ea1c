import { kindNames, kindOf, kinds } from '@purlin/contract/rules/kinds'
import { GiB } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keptActs, makeKept, type Acts } from '#/testing/kinds/kept.ts'
import { tasksOf } from '#/testing/tasks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const query = { project: 'demo' }
const me = () => w.as('projectCollaborator')

beforeAll(async () => {
  w = await openWorld()
  await makeKept(w)
})
afterAll(() => w.close())

const acts = keptActs(() => w)
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

describe.each(protectable)('the protection of a %s', (name, { create, set, view, protect, remove }) => {
  it('may begin with its creation', async () => {
    expect(await create('born-safe', { protected: true })).toMatchObject({ protected: true })
    expect(await create('born-open', { protected: false })).not.toHaveProperty('protected')
  })

  it('is changed and nothing else of it, also if it is so already', async () => {
    const { timeModified: _, ...before } = (await view()) as Awaited<ReturnType<typeof view>> & {
      timeModified: Date
    }
    for (const value of [true, true]) {
      expect(await protect({ protected: value })).toEqual({ protected: true })
      expect(await view()).toMatchObject({ ...before, protected: true })
    }
    await expect(remove()).rejects.toMatchObject({ status: 400 })
    expect(await protect({ protected: false })).toEqual({ protected: false })
    expect(await view()).toMatchObject(before)
    expect(await view()).not.toHaveProperty('protected')
  })

  it('is changed by a task, which leaves those that are so already', async () => {
    await set({ protected: false })
    const { id } = await view()
    const tasks = tasksOf(w, name === 'project' ? 'admin' : 'projectCollaborator')
    const of = (action: 'protect' | 'unprotect') => ({
      kind: kinds[name as keyof typeof acts].type,
      action,
      ids: [id],
    })
    expect(await tasks.run(of('protect'))).toMatchObject({ succeeded: 1, skipped: 0, failed: 0 })
    expect(await view()).toMatchObject({ protected: true })
    expect((await tasks.preview(of('protect'))).skipped).toMatchObject([{ message: 'protected already' }])
    expect(await tasks.run(of('unprotect'))).toMatchObject({ succeeded: 1 })
    expect(await view()).not.toHaveProperty('protected')
    expect((await tasks.preview(of('unprotect'))).skipped).toMatchObject([{ message: 'not protected' }])
  })
})

it('an instance may be created with a disk that is protected', async () => {
  await me().instanceCreate({
    query,
    body: {
      name: 'with-disk',
      description: '',
      hostname: 'with-disk',
      ncpus: 1,
      memory: GiB,
      start: false,
      disks: [
        {
          type: 'create',
          name: 'safe-data',
          description: '',
          size: GiB,
          protected: true,
          diskSource: { type: 'blank', blockSize: 512 },
        },
      ],
    },
  })
  expect(await me().diskView({ params: { disk: 'safe-data' }, query })).toMatchObject({ protected: true })
})

it('the audit log says of each change of the protection which it was', async () => {
  await acts.vpc.protect({ protected: true })
  await acts.vpc.set({ protected: false })
  await acts.vpc.set({ description: 'other' })
  const { id } = await acts.vpc.view()
  const made = await acts.floatingIp.create('audited', { protected: true })
  const seen = async (resource: string, limit: number) => {
    const { items } = await w.as('admin').resourceActivity({ query: { resource, limit } })
    const of = resource.slice(resource.indexOf(':') + 1)
    return items.map(({ operationId, objects }) => [
      operationId,
      objects?.find((one) => one.id === of)?.protected,
    ])
  }
  expect(await seen(`vpc:${id}`, 3)).toEqual([
    ['vpc_update', undefined],
    ['vpc_update', false],
    ['vpc_protection_update', true],
  ])
  expect(await seen(`floating-ip:${made.id}`, 1)).toEqual([['floating_ip_create', true]])
})

it('of a change and a deletion at once, none is lost', async () => {
  await acts.floatingIp.create('raced', {})
  const at = { params: { floatingIp: 'raced' }, query }
  const [protection, deletion] = await Promise.allSettled([
    me().floatingIpProtectionUpdate({ ...at, body: { protected: true } }),
    me().floatingIpDelete(at),
  ])
  const left = await me()
    .floatingIpView(at)
    .catch(() => undefined)
  if (deletion.status === 'fulfilled') expect(left).toBeUndefined()
  else expect([protection.status, left]).toMatchObject(['fulfilled', { protected: true }])
})

it('a task leaves protected resources as they are, and says so', async () => {
  await acts.disk.set({ protected: true })
  const { id } = await acts.disk.view()
  const preview = await me().taskPreview({ body: { kind: 'disk', action: 'delete', ids: [id] } })
  expect(preview.skipped).toEqual([
    { message: 'protected from deletion', count: 1, code: null, names: ['disk'] },
  ])
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
  const change = { params: { disk: 'disk' }, query, body: { protected: true } }
  await expect(w.as('viewer').diskProtectionUpdate(change)).rejects.toMatchObject({ status: 403 })
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
