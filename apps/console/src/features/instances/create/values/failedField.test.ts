import { describe, expect, it } from 'vitest'
import { failure, takenName } from '#/api/errors.ts'
import { ApiError } from '#/api/send.ts'
import { failedField } from './failedField.ts'

const refusal = (message: string, code = 'ObjectAlreadyExists') =>
  new ApiError('instanceCreate', 400, {
    message: `already exists: ${message}`,
    code,
    requestId: 'r1',
    resource: 'instance',
  })
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
  it('is the error of the name field for the instance itself', () => {
    expect(failedField(refusal('instance "root"'), form)).toBeUndefined()
  })
  it.each([
    ['root', 'bootName'],
    ['data', 'disks'],
    ['generated-c0ffee', undefined],
  ])('of the disk %s belongs to the field %s', (name, field) => {
    const error = refusal(`disk "${name}"`)
    expect(failedField(error, form)).toBe(field)
    expect(failure(error)).toMatchObject({ message: 'Disk name already exists', requestId: 'r1' })
    expect(takenName(error)).toMatchObject({ isOwn: false })
  })
  it('a file that cannot be read is that of user data', () => {
    expect(failedField(new DOMException('gone', 'NotFoundError'), form)).toBe('userData')
  })
  it('other errors are about no field', () => {
    expect(failedField(refusal('disk "root"', 'InvalidRequest'), form)).toBeUndefined()
    expect(failedField(new Error('offline'), form)).toBeUndefined()
  })
})

describe('a missing resource', () => {
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
    expect(failedField(error, { ...form, ...more })).toBe(field)
  })
  it('is about no field if the form does not have it', () => {
    expect(failedField(missing('project with name "demo"'), form)).toBeUndefined()
    expect(failedField(missing('disk'), form)).toBeUndefined()
  })
})
