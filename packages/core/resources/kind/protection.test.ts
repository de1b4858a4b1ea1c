import { kindNames, kindOf } from '@purlin/contract/rules/kinds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keptActs, makeKept, type Acts } from '#/testing/kinds/kept.ts'
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
