import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DiskTable } from '#/db/tables.ts'
import { forceRow, instancesOf, rowOf, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { answers, projectRead, projectWrite } from '#/testing/roles.ts'
import { disorder, dump, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
  await vm.create('web')
  await vm.makeDisk('data')
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const invalid = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const diskRow = (name: string) =>
  inDb(w, (tx) => tx.selectFrom('disk').selectAll().where('name', '=', name).executeTakeFirstOrThrow())
const forceDisk = (name: string, set: Partial<DiskTable>) =>
  inDb(w, (tx) => tx.updateTable('disk').set(set).where('name', '=', name).execute())
const rejects = rejectsIn(() => w)
const elsewhere = async () => {
  await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })
  const diskSource = { type: 'blank' as const, blockSize: 512 as const }
  return w.as('admin').diskCreate({
    query: { project: 'elsewhere' },
    body: { name: 'far', description: '', size: GiB, diskSource },
  })
}

describe('permissions', () => {
  const at = { params: { instance: 'web' }, query }
  it('attach and detach: collaborators of the project', async () => {
    const found = await answers(w, (client) => client.instanceDiskAttach({ ...at, body: { disk: 'data' } }))
    expect(found).toEqual(projectWrite)
    expect(
      await answers(w, (client) => client.instanceDiskDetach({ ...at, body: { disk: 'data' } })),
    ).toEqual(projectWrite)
  })
  it('list: viewers of the project', async () => {
    expect(await answers(w, (client) => client.instanceDiskList(at))).toEqual(projectRead)
  })
})

describe('attach', () => {
  it('answers 202 with the disk, attached', async () => {
    const { id } = await vm.view('web')
    const before = await diskRow('data')
    const { status, json } = await w.raw({
      method: 'POST',
      url: '/v1/instances/web/disks/attach?project=demo',
      who: 'projectCollaborator',
      body: JSON.stringify({ disk: 'data' }),
    })
    expect(status).toBe(202)
    expect(json).toMatchObject({ name: 'data', state: { state: 'attached', instance: id } })
    expect(await diskRow('data')).toMatchObject({
      slot: 0,
      instanceId: id,
      generation: before.generation + 1,
    })
    expect(await disorder(w)).toEqual([])
  })

  it('by id too, with the instance by id', async () => {
    const { id: instance } = await vm.view('web')
    const { id: disk } = await diskRow('data')
    const view = await w
      .as('projectAdmin')
      .instanceDiskAttach({ params: { instance }, query: {}, body: { disk } })
    expect(view).toMatchObject({ id: disk, state: { state: 'attached', instance } })
  })

  it('attached here already: no change', async () => {
    await vm.attach('web', 'data')
    const before = await dump(w)
    expect(await vm.attach('web', 'data')).toMatchObject({ state: { state: 'attached' } })
    expect(await dump(w)).toEqual(before)
  })

  it('takes the lowest free slot', async () => {
    for (const name of ['b', 'c', 'd']) {
      await vm.makeDisk(name)
      await vm.attach('web', name)
    }
    await vm.detach('web', 'c')
    await vm.attach('web', 'data')
    await vm.attach('web', 'c')
    const rows = await inDb(w, (tx) =>
      tx.selectFrom('disk').select(['name', 'slot']).orderBy('slot').execute(),
    )
    expect(rows.map((row) => row.name)).toEqual(['b', 'data', 'd', 'c'])
  })

  it('at most eight', async () => {
    for (let i = 0; i < 8; i++) {
      await vm.makeDisk(`d${i}`)
      await vm.attach('web', `d${i}`)
    }
    await rejects(() => vm.attach('web', 'data'), invalid('cannot attach more than 8 disks to instance'))
  })

  it('a disk has one instance', async () => {
    await vm.create('other')
    await vm.attach('other', 'data')
    await rejects(
      () => vm.attach('web', 'data'),
      invalid('cannot attach disk "data": disk is attached to another instance'),
    )
  })

  it('a disk of another project is refused by id and not found by name', async () => {
    const { id } = await elsewhere()
    const other = w.as('admin')
    const attach = (disk: string) =>
      other.instanceDiskAttach({ params: { instance: 'web' }, query, body: { disk } })
    await rejects(() => attach(id), invalid('disk must be in the same project as the instance'))
    await rejects(() => attach('far'), { status: 404, message: 'not found: disk with name "far"' })
  })

  it('to a project that its reader may not see, an id does not help', async () => {
    const { id } = await elsewhere()
    await rejects(() => vm.attach('web', id), { status: 404, message: `not found: disk with id "${id}"` })
  })

  it.each(['starting', 'running', 'rebooting', 'stopping'] as const)(
    'not while the instance is %s',
    async (runState) => {
      await vm.start('web')
      await w.advance(200)
      await forceRow(w, 'web', { runState, dueAt: null })
      await rejects(
        () => vm.attach('web', 'data'),
        invalid('cannot attach disk: instance is not fully stopped'),
      )
    },
  )

  it('not to a failed instance', async () => {
    await forceRow(w, 'web', { runState: 'failed' })
    await rejects(() => vm.attach('web', 'data'), invalid('cannot attach disk to instance in failed state'))
  })

  it('to one that is still being created', async () => {
    await forceRow(w, 'web', { runState: 'creating' })
    expect(await vm.attach('web', 'data')).toMatchObject({ state: { state: 'attached' } })
  })

  it.each([
    'import_ready',
    'importing_from_bulk_writes',
    'finalizing',
    'maintenance',
    'detaching',
    'faulted',
    'destroyed',
  ] as const)('not a disk in state %s', async (state) => {
    await forceDisk('data', { state })
    await rejects(
      () => vm.attach('web', 'data'),
      invalid(`cannot attach disk "data": invalid state ${state}`),
    )
  })

  it('a disk in state creating may be attached', async () => {
    await forceDisk('data', { state: 'creating' })
    expect(await vm.attach('web', 'data')).toMatchObject({ state: { state: 'attached' } })
  })
})

describe('detach', () => {
  beforeEach(() => vm.attach('web', 'data'))

  it('frees disk and slot; already detached: no change', async () => {
    expect(await vm.detach('web', 'data')).toMatchObject({ state: { state: 'detached' } })
    expect(await diskRow('data')).toMatchObject({ instanceId: null, slot: null })
    const before = await dump(w)
    expect(await vm.detach('web', 'data')).toMatchObject({ state: { state: 'detached' } })
    expect(await dump(w)).toEqual(before)
    expect(await disorder(w)).toEqual([])
  })

  it('not from another instance', async () => {
    await vm.create('other')
    await rejects(
      () => vm.detach('other', 'data'),
      invalid('cannot detach disk "data": disk is attached to another instance'),
    )
  })

  it.each(['starting', 'running', 'rebooting', 'stopping'] as const)(
    'not while the instance is %s',
    async (runState) => {
      await vm.start('web')
      await w.advance(200)
      await forceRow(w, 'web', { runState, dueAt: null })
      await rejects(
        () => vm.detach('web', 'data'),
        invalid('cannot detach disk: instance is not fully stopped'),
      )
    },
  )

  it.each(['failed', 'creating'] as const)('from an instance that is %s', async (runState) => {
    await forceRow(w, 'web', { runState })
    expect(await vm.detach('web', 'data')).toMatchObject({ state: { state: 'detached' } })
  })

  it('not the boot disk, until the instance has none', async () => {
    await vm.update('web', { bootDisk: 'data' })
    const reason = { status: 409, code: 'Conflict', message: 'boot disk cannot be detached' }
    await rejects(() => vm.detach('web', 'data'), reason)
    await vm.update('web', { bootDisk: null })
    expect(await vm.detach('web', 'data')).toMatchObject({ state: { state: 'detached' } })
  })

  it.each(['import_ready', 'maintenance', 'faulted'] as const)('not a disk in state %s', async (state) => {
    await forceDisk('data', { state, instanceId: null, slot: null })
    await rejects(
      () => vm.detach('web', 'data'),
      invalid(`cannot detach disk "data": invalid state ${state}`),
    )
  })
})

describe('competing requests', () => {
  it('two instances want one disk: one gets it', async () => {
    await vm.create('other')
    const outcomes = await Promise.allSettled([vm.attach('web', 'data'), vm.attach('other', 'data')])
    expect(outcomes.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await disorder(w)).toEqual([])
  })

  it('an attach and a start: the machine has the disk, or the attach is refused', async () => {
    for (let i = 0; i < 6; i++) {
      const [attach] = await Promise.allSettled([vm.attach('web', 'data'), vm.start('web')])
      const { runState, generation } = await rowOf(w, 'web')
      expect(runState).toBe('starting')
      expect(generation).toBeGreaterThan(1)
      const held = (await diskRow('data')).instanceId !== null
      expect(held).toBe(attach?.status === 'fulfilled')
      await w.advance(200)
      await vm.stop('web')
      await w.advance(200)
      if (held) await vm.detach('web', 'data')
    }
    expect(await disorder(w)).toEqual([])
  })

  it('ten concurrent attachments: at most eight, each at a different slot', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `d${i}`)
    for (const name of names) await vm.makeDisk(name)
    // The first requests that need ten connections at once: a busy database may take too long to open them.
    const attach = (name: string): Promise<unknown> =>
      vm.attach('web', name).catch((error: unknown) => {
        if ((error as { status?: number }).status === 503) return attach(name)
        throw error
      })
    const outcomes = await Promise.allSettled(names.map(attach))
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    expect(refusals).toEqual(Array(2).fill(expect.objectContaining({ status: 400 })))
    expect(await disorder(w)).toEqual([])
  })
})

it('the list of disks pages by name', async () => {
  await vm.makeDisk('zeta')
  await vm.attach('web', 'zeta')
  await vm.attach('web', 'data')
  const list = (more: object) =>
    w.as('viewer').instanceDiskList({ params: { instance: 'web' }, query: { ...query, ...more } })
  const first = await list({ limit: 1 })
  expect(first.items.map((disk) => disk.name)).toEqual(['data'])
  const rest = await list({ limit: 1, pageToken: first.nextPage })
  expect(rest).toMatchObject({ items: [{ name: 'zeta' }], nextPage: null })
})

it('the list of disks is ordered and queried as that of the project', async () => {
  await vm.makeDisk('zeta')
  for (const disk of ['zeta', 'data']) await vm.attach('web', disk)
  await w.as('projectCollaborator').diskTagsChange({
    params: { disk: 'zeta' },
    query,
    body: { set: { env: 'prod' } },
  })
  const names = async (more: object) => {
    const of = { params: { instance: 'web' }, query: { ...query, ...more } }
    return (await w.as('viewer').instanceDiskList(of)).items.map(({ name }) => name)
  }
  expect(await names({ sortBy: 'size_descending' })).toHaveLength(2)
  expect(await names({ sortBy: 'name_descending' })).toEqual(['zeta', 'data'])
  expect(await names({ filter: ['tag:env=prod'] })).toEqual(['zeta'])
  expect(await names({ filter: ['-name:zeta', 'state:attached'] })).toEqual(['data'])
  expect(await names({ filter: ['state:detached'] })).toEqual([])
})
