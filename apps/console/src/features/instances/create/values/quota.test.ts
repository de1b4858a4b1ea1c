import { describe, expect, it } from 'vitest'
import { startForm } from './form.ts'
import { leftOf, shortStorage, storageLeft } from '#/features/utilization/quota.ts'
import { needOf, quotaWarning, shortOf } from './quota.ts'

const GiB = 1024 ** 3
const form = startForm({ siloImages: [], projectImages: [], sshKeys: [], pools: [], vpcs: [], sizes: [] })
const utilization = {
  provisioned: { cpus: 28, memory: 100 * GiB, storage: 2000 * GiB },
  capacity: { cpus: 32, memory: 128 * GiB, storage: 2048 * GiB },
}

describe('the needs of an instance', () => {
  it('is its size and the new disks', () => {
    const disks = [
      {
        type: 'create',
        body: { name: 'data', description: '', size: 5 * GiB, diskSource: { type: 'blank', blockSize: 512 } },
      } as const,
      { type: 'attach', name: 'archive', size: 512 * GiB } as const,
    ]
    const image = { ...form, boot: 'siloImage', bootSizeGiB: 20 } as const
    expect(needOf({ ...image, disks })).toEqual({ cpus: 2, memory: 8 * GiB, storage: 25 * GiB })
    expect(needOf({ ...image, boot: 'disk', disks })).toMatchObject({ storage: 5 * GiB })
  })
  it('counts empty fields as 0', () => {
    const empty = {
      ...form,
      hardware: 'custom',
      cpus: Number.NaN,
      memoryGiB: 4,
      boot: 'siloImage',
      bootSizeGiB: Number.NaN,
    } as const
    expect(needOf(empty)).toEqual({ cpus: 0, memory: 4 * GiB, storage: 0 })
  })
})

describe('the quota', () => {
  const need = { cpus: 4, memory: 28 * GiB, storage: 48 * GiB }
  it('is enough if all of it is used', () => {
    expect(shortOf(need, utilization)).toEqual([])
    expect(quotaWarning(need, utilization)).toBeUndefined()
  })
  it('has no warning until it is known', () =>
    expect(quotaWarning({ ...need, cpus: 999 }, undefined)).toBeUndefined())
  it('leaves no more than the hardware has', () => {
    const room = { cpus: 2, memory: 8 * GiB }
    const full = { ...utilization, placeable: room, largest: room }
    expect(leftOf(full, 'cpus')).toBe(2)
    expect(quotaWarning({ ...need, memory: 4 * GiB }, full)).toBe(
      'No sled has 4 vCPUs free now. The instance will be created but cannot start.',
    )
  })
  it('leaves no more storage than the hardware has, which refuses none', () => {
    const room = { cpus: 4, memory: 28 * GiB }
    const full = { ...utilization, placeable: { ...room, storage: 20 * GiB }, largest: room }
    expect(leftOf(full, 'storage')).toBe(20 * GiB)
    expect(quotaWarning({ cpus: 2, memory: GiB, storage: 21 * GiB }, full)).toBe(
      'The hardware has only 20 GiB of storage free. Guests get write errors once the hardware is full.',
    )
    const both = 'The hardware has 20 GiB of storage free. The quota leaves 48 GiB of storage.'
    expect(storageLeft(full, { needed: 20 * GiB })).toEqual({ text: both, lack: undefined })
    expect(storageLeft(full, { needed: 15 * GiB, planned: 8 * GiB })).toMatchObject({
      text: expect.stringMatching(/^The hardware has 12 GiB .* leaves 40 GiB .* write errors/) as string,
      lack: 'hardware',
    })
    expect(storageLeft(full, { needed: 49 * GiB })).toEqual({ text: both, lack: 'quota' })
    const upload = { of: 'upload', content: 'a disk' }
    expect(shortStorage(full, { ...upload, needed: 48 * GiB })).toBeUndefined()
    expect(shortStorage(full, { ...upload, needed: 49 * GiB })).toContain('only 48 GiB of the silo’s quota')
  })
  it('has nothing free after it was lowered below its use', () => {
    expect(leftOf({ ...utilization, capacity: { cpus: 1, memory: 0, storage: 0 } }, 'cpus')).toBe(0)
  })
  it('warns that the instance cannot start', () => {
    expect(quotaWarning({ ...need, cpus: 8, memory: 32 * GiB }, utilization)).toBe(
      'The silo does not have enough free quota: vCPUs (8 needed, 4 free) and memory (32 GiB needed, 28 GiB free). The instance will be created but cannot start.',
    )
  })
  it('warns that the instance cannot be created', () => {
    expect(quotaWarning({ ...need, storage: 64 * GiB }, utilization)).toBe(
      'The silo does not have enough free quota: storage (64 GiB needed, 48 GiB free). The instance cannot be created.',
    )
  })
})
