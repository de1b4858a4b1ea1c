import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../../../send.ts'
import { takenBeside } from './taken.ts'

const refusal = (message: string, code = 'ObjectAlreadyExists') =>
  new ApiError('instanceCreate', 400, { message: `already exists: ${message}`, code, requestId: 'r1' })
const data = {
  name: 'data',
  description: '',
  size: 1,
  diskSource: { type: 'blank', blockSize: 512 },
} as const
const form = { bootName: 'root', disks: [{ type: 'create' as const, body: data }] }

describe('a name that is taken', () => {
  it('is the instance’s own business when it is the instance’s', () => {
    expect(takenBeside(refusal('instance "root"'), form)).toBeUndefined()
  })
  it.each([
    ['root', 'bootName'],
    ['data', 'disks'],
    ['generated-c0ffee', undefined],
  ])('of the disk %s belongs to the field %s', (name, field) => {
    const taken = takenBeside(refusal(`disk "${name}"`), form)
    expect(taken?.field).toBe(field)
    expect(taken?.error).toMatchObject({
      message: 'Disk name already exists',
      code: undefined,
      requestId: 'r1',
    })
  })
  it('other failures are left as they are', () => {
    expect(takenBeside(refusal('disk "root"', 'InvalidRequest'), form)).toBeUndefined()
    expect(takenBeside(new Error('offline'), form)).toBeUndefined()
  })
})
