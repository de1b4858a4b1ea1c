import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forceRow, instancesOf, rowOf, setQuota, swift } from '#/testing/machines.ts'
import { answers, projectWrite } from '#/testing/roles.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

type Changes = Parameters<typeof vm.update>[1]
const query = { project: 'demo' }
const whole = { ncpus: 1, memory: GiB, bootDisk: null, autoRestartPolicy: null, cpuPlatform: null }
const running = async () => {
  await vm.create('web', { start: true })
  await w.advance(200)
}
const rejects = rejectsIn(() => w)
const rejected = (changes: Changes, reason: object) => rejects(() => vm.update('web', changes), reason)
const toChangeSize = {
  status: 409,
  code: 'Conflict',
  message: 'instance must be stopped to change CPU or memory',
}
const toSetBoot = { status: 409, code: 'Conflict', message: 'instance must be stopped to set boot disk' }

it('collaborators of the project may update an instance', async () => {
  await vm.create('web')
  const target = { params: { instance: 'web' }, query, body: whole }
  expect(await answers(w, (client) => client.instanceUpdate(target))).toEqual(projectWrite)
})

it.each(['ncpus', 'memory', 'boot_disk', 'auto_restart_policy', 'cpu_platform'])(
  '%s must be sent',
  async (field) => {
    await vm.create('web')
    const all = { ncpus: 1, memory: GiB, boot_disk: null, auto_restart_policy: null, cpu_platform: null }
    const put = (body: object) =>
      w.raw({
        method: 'PUT',
        url: '/v1/instances/web?project=demo',
        who: 'admin',
        body: JSON.stringify(body),
      })
    const { status, json } = await put({ ...all, [field]: undefined })
    expect(status).toBe(400)
    expect((json as { message: string }).message).toMatch(
      new RegExp(`^unable to parse JSON body: missing field \`${field}\` at line 1 column \\d+$`),
    )
    expect((await put(all)).status).toBe(200)
  },
)

it('size, platform and policy of a stopped instance change; its times and hostname do not', async () => {
  const before = await vm.create('web')
  await w.advance(5000)
  const changes = { ncpus: 4, memory: 8 * GiB, autoRestartPolicy: 'never', cpuPlatform: 'amd_milan' } as const
  const after = await vm.update('web', changes)
  expect(after).toEqual({ ...before, ...changes, autoRestartEnabled: false })
  expect(await vm.view('web')).toEqual(after)
})

it.each<[string, Changes, string]>([
  ['65 vCPUs', { ncpus: 65 }, 'cannot have more than 64 vCPUs per instance'],
  ['no vCPU', { ncpus: 0 }, 'an instance needs at least 1 vCPU'],
  ['little memory', { memory: 1 }, 'unsupported value for "size": memory must be at least 1 GiB'],
  ['odd memory', { memory: GiB + 5 }, 'unsupported value for "size": memory must be divisible by 1 GiB'],
  [
    'much memory',
    { memory: 2048 * GiB },
    'unsupported value for "size": memory must be less than or equal to 1536 GiB',
  ],
])('%s is refused as for a new instance', async (_, changes, message) => {
  await vm.create('web')
  await rejected(changes, { status: 400, message })
})

it('the quota is not checked: the next start does that', async () => {
  await setQuota(w, { quotaCpus: 2 })
  await vm.create('web')
  expect(await vm.update('web', { ncpus: 64 })).toMatchObject({ ncpus: 64 })
  await expect(vm.start('web')).rejects.toMatchObject({ status: 507 })
})

describe('a running instance', () => {
  beforeEach(running)

  it.each<[string, Changes]>([
    ['vCPUs', { ncpus: 2 }],
    ['memory', { memory: 2 * GiB }],
    ['platform', { cpuPlatform: 'amd_milan' }],
    ['vCPUs and policy together', { ncpus: 2, autoRestartPolicy: 'never' }],
  ])('keeps its size: %s are refused', (_, changes) => rejected(changes, toChangeSize))

  it('keeps its boot disk', async () => {
    await vm.makeDisk('data')
    await rejected({ bootDisk: 'data' }, toSetBoot)
  })

  it('accepts equal values with another restart policy', async () => {
    const view = await vm.update('web', { autoRestartPolicy: 'never' })
    expect(view).toMatchObject({ runState: 'running', autoRestartPolicy: 'never', autoRestartEnabled: false })
  })
})

it.each(['starting', 'rebooting', 'stopping', 'migrating', 'repairing'] as const)(
  'in state %s size and boot disk are refused, the policy is accepted',
  async (runState) => {
    await running()
    await vm.makeDisk('data')
    await forceRow(w, 'web', { runState, dueAt: null })
    await rejected({ memory: 2 * GiB }, toChangeSize)
    await rejected({ bootDisk: 'data' }, toSetBoot)
    expect(await vm.update('web', { autoRestartPolicy: 'best_effort' })).toMatchObject({ runState })
  },
)

it.each(['failed', 'creating'] as const)('in state %s the size may change', async (runState) => {
  await vm.create('web', { autoRestartPolicy: 'never' })
  await forceRow(w, 'web', { runState })
  expect(await vm.update('web', { ncpus: 2 })).toMatchObject({ runState, ncpus: 2 })
})

describe('the boot disk', () => {
  it('must be attached to the instance', async () => {
    await vm.create('web')
    await vm.create('other')
    const { id } = await vm.makeDisk('data')
    const message = 'boot disk must be attached'
    await rejected({ bootDisk: 'data' }, { status: 409, code: 'Conflict', message })
    await vm.attach('other', 'data')
    await rejected({ bootDisk: id }, { status: 409, message })
    await rejected({ bootDisk: 'nope' }, { status: 404, message: 'not found: disk with name "nope"' })
  })

  it('is set by name or id, kept by an equal value, and cleared by null', async () => {
    await vm.create('web')
    const { id } = await vm.makeDisk('data')
    await vm.attach('web', 'data')
    expect(await vm.update('web', { bootDisk: 'data' })).toMatchObject({ bootDiskId: id })
    expect(await vm.update('web', { bootDisk: id })).toMatchObject({ bootDiskId: id })
    await vm.start('web')
    await w.advance(200)
    expect(await vm.update('web', { bootDisk: id })).toMatchObject({ bootDiskId: id, runState: 'running' })
    await rejected({ bootDisk: null }, toSetBoot)
    await vm.stop('web')
    await w.advance(200)
    expect(await vm.update('web', { bootDisk: null })).toMatchObject({ bootDiskId: null })
  })
})

it('an update that races with a start loses or comes first: the charge fits the size', async () => {
  await vm.create('web')
  const outcomes = await Promise.allSettled([vm.start('web'), vm.update('web', { ncpus: 3 })])
  const { ncpus } = await rowOf(w, 'web')
  expect(outcomes[0]?.status).toBe('fulfilled')
  expect((await w.as('admin').utilizationView({ query: {} })).provisioned.cpus).toBe(ncpus)
})
