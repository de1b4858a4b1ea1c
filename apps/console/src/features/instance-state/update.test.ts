import { describe, expect, it } from 'vitest'
import { toUpdate, type Instance } from './update.ts'

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
