import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../../../send.ts'
import { refusedField } from './refused.ts'

const refusal = (message: string, code = 'ObjectAlreadyExists') =>
  new ApiError('instanceCreate', 400, { message: `already exists: ${message}`, code, requestId: 'r1' })
const data = {
  name: 'data',
  description: '',
  size: 1,
  diskSource: { type: 'blank', blockSize: 512 },
} as const
const form = {
  boot: 'siloImage' as const,
  bootName: 'root',
  bootDisk: '',
  disks: [{ type: 'create' as const, body: data }],
  network: 'default' as const,
}

describe('a name that is taken', () => {
  it('is the instance’s own business when it is the instance’s', () => {
    expect(refusedField(refusal('instance "root"'), form)).toBeUndefined()
  })
  it.each([
    ['root', 'bootName'],
    ['data', 'disks'],
    ['generated-c0ffee', undefined],
  ])('of the disk %s belongs to the field %s', (name, field) => {
    const taken = refusedField(refusal(`disk "${name}"`), form)
    expect(taken?.field).toBe(field)
    expect(taken?.error).toMatchObject({
      message: 'Disk name already exists',
      code: undefined,
      requestId: 'r1',
    })
  })
  it('other failures are left as they are', () => {
    expect(refusedField(refusal('disk "root"', 'InvalidRequest'), form)).toBeUndefined()
    expect(refusedField(new Error('offline'), form)).toBeUndefined()
  })
})

describe('what is not there', () => {
  const missing = (what: string) => new ApiError('instanceCreate', 404, { message: `not found: ${what}` })
  it.each([
    ['vpc-subnet with name "default"', {}, 'network'],
    ['vpc with name "default"', {}, 'network'],
    ['vpc-subnet with name "web"', { network: 'custom' as const }, 'nics'],
    ['disk with name "old"', { boot: 'disk' as const, bootDisk: 'old' }, 'bootDisk'],
    ['disk with name "logs"', { boot: 'disk' as const, bootDisk: 'old' }, 'disks'],
    ['image with id "7"', {}, 'siloImage'],
    ['image with id "7"', { boot: 'projectImage' as const }, 'projectImage'],
    ['ip-pool with name "edge"', {}, 'pool'],
    ['floating-ip with name "www"', {}, 'floatingIps'],
    ['ssh-key with id "7"', {}, 'sshKeys'],
  ])('%s with %j belongs to the field %s', (what, more, field) => {
    const error = missing(what)
    expect(refusedField(error, { ...form, ...more })).toEqual({ field, error })
  })
  it('is nobody’s field when it is none that was asked for', () => {
    expect(refusedField(missing('project with name "demo"'), form)).toBeUndefined()
    expect(refusedField(missing('disk'), form)).toBeUndefined()
  })
})
