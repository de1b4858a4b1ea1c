import { describe, expect, it } from 'vitest'
import { startForm } from './form.ts'
import { leftOf } from '../../../../../parts/quota.ts'
import { needOf, quotaWarning, shortOf } from './quota.ts'

const GiB = 1024 ** 3
const form = startForm({ siloImages: [], projectImages: [], disks: [], sshKeys: [], pools: [], vpcs: [] })
const utilization = {
  provisioned: { cpus: 28, memory: 100 * GiB, storage: 2000 * GiB },
  capacity: { cpus: 32, memory: 128 * GiB, storage: 2048 * GiB },
}

describe('what an instance needs', () => {
  it('is its size and every disk that is made for it', () => {
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
  it('an empty field counts as nothing', () => {
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
  it('what is exactly left is enough', () => {
    expect(shortOf(need, utilization)).toEqual([])
    expect(quotaWarning(need, utilization)).toBeUndefined()
  })
  it('nothing is said as long as it is not known', () =>
    expect(quotaWarning({ ...need, cpus: 999 }, undefined)).toBeUndefined())
  it('a quota that was lowered below its use leaves nothing', () => {
    expect(leftOf({ ...utilization, capacity: { cpus: 1, memory: 0, storage: 0 } }, 'cpus')).toBe(0)
  })
  it('too little for a start leaves the instance stopped', () => {
    expect(quotaWarning({ ...need, cpus: 8, memory: 32 * GiB }, utilization)).toBe(
      'The silo’s quota has too little left: vCPUs (8 wanted, 4 left) and memory (32 GiB wanted, 28 GiB left). The instance will be created but cannot start.',
    )
  })
  it('too little for the disks refuses the whole', () => {
    expect(quotaWarning({ ...need, storage: 64 * GiB }, utilization)).toBe(
      'The silo’s quota has too little left: storage (64 GiB wanted, 48 GiB left). The request will be refused.',
    )
  })
})
