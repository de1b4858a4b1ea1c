import { instanceCreate, instanceView } from '@purlin/contract/operations/instances/instances'
import { GiB } from '@purlin/contract/rules/limits'
import { describe, expect, it } from 'vitest'
import { send } from '#/api/send.ts'
import { openControlPlane } from '#/preview/testing.ts'
import type { Instance } from './update.ts'
import { restoreInstance, toUpdate, updateInstance } from './values.ts'

const instance: Instance = {
  id: 'an-id',
  name: 'web',
  description: '',
  timeCreated: new Date(0),
  timeModified: new Date(0),
  projectId: 'a-project',
  ncpus: 2,
  memory: 4096,
  hostname: 'web',
  runState: 'stopped',
  timeRunStateUpdated: new Date(0),
  bootDiskId: 'a-disk',
  autoRestartEnabled: true,
  autoRestartPolicy: 'never',
  cpuPlatform: 'amd_turin',
}

describe('an update of an instance', () => {
  it('sends the values that stay along with the one that changes', () => {
    expect(toUpdate(instance, { ncpus: 8 })).toEqual({
      ncpus: 8,
      memory: 4096,
      bootDisk: 'a-disk',
      autoRestartPolicy: 'never',
      cpuPlatform: 'amd_turin',
    })
  })
  it('null clears a value, an absent one is sent as null', () => {
    const { bootDiskId: _disk, autoRestartPolicy: _policy, cpuPlatform: _platform, ...bare } = instance
    expect(toUpdate(instance, { bootDisk: null }).bootDisk).toBeNull()
    expect(toUpdate(bare, {})).toMatchObject({ bootDisk: null, autoRestartPolicy: null, cpuPlatform: null })
  })
})

it('a change is reversed, unless another user has changed the value since', async () => {
  await openControlPlane()
  const query = { project: 'demo' }
  const body = { name: 'web', description: '', hostname: 'web', ncpus: 2, memory: 4 * GiB, start: false }
  await send(instanceCreate, {
    query,
    body: { ...body, networkInterfaces: { type: 'none' }, externalIps: [] },
  })
  const target = { project: 'demo', instance: 'web' }
  const [left, former] = [{ ncpus: 4 }, { ncpus: 2 }]
  await updateInstance(target, left)
  await updateInstance(target, { autoRestartPolicy: 'never' })
  await restoreInstance(target, { left, former })
  const seen = () => send(instanceView, { params: { instance: 'web' }, query })
  expect(await seen()).toMatchObject({ ncpus: 2, autoRestartPolicy: 'never' })
  await updateInstance(target, { ncpus: 8 })
  await expect(restoreInstance(target, { left, former })).rejects.toThrow('Another user has changed')
  expect(await seen()).toMatchObject({ ncpus: 8 })
})
