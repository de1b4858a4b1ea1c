import { describe, expect, it } from 'vitest'
import {
  bodyToForm,
  cloneOf,
  diskSizeProblem,
  diskToBody,
  emptyDisk,
  leastGiB,
  roomyGiB,
  sizeForSource,
} from './body.ts'

const GiB = 1024 ** 3

it.each([
  { ...emptyDisk, name: 'data', blockSize: '512', size: 20 } as const,
  { ...emptyDisk, name: 'root', description: 'Boots', source: 'image', image: 'an-id' } as const,
  { ...emptyDisk, name: 'copy', source: 'snapshot', snapshot: 'an-id', size: 3 } as const,
])('a disk that was not made yet is edited as it was entered: $source', (form) =>
  expect(bodyToForm(diskToBody(form))).toEqual(form),
)

describe('the request of a new disk', () => {
  it('a blank disk names its block size', () => {
    expect(diskToBody({ ...emptyDisk, name: 'data', blockSize: '512', size: 20 })).toEqual({
      name: 'data',
      description: '',
      size: 20 * GiB,
      diskSource: { type: 'blank', blockSize: 512 },
    })
  })
  it('a disk from an image names the image and no block size', () => {
    const body = diskToBody({
      ...emptyDisk,
      name: 'root',
      description: 'Boots',
      source: 'image',
      image: 'an-id',
    })
    expect(body).toEqual({
      name: 'root',
      description: 'Boots',
      size: 10 * GiB,
      diskSource: { type: 'image', imageId: 'an-id' },
    })
  })
  it('a disk from a snapshot names the snapshot and no block size', () => {
    const body = diskToBody({ ...emptyDisk, source: 'snapshot', snapshot: 'an-id', image: 'another' })
    expect(body.diskSource).toEqual({ type: 'snapshot', snapshotId: 'an-id' })
  })
  it('an image chosen earlier is not sent with a blank disk', () => {
    expect(diskToBody({ ...emptyDisk, image: 'an-id' }).diskSource).toEqual({
      type: 'blank',
      blockSize: 4096,
    })
  })
})

describe('the size of a new disk', () => {
  it('a source that does not fit raises it to the next ten', () => {
    expect(sizeForSource(10, 12 * GiB)).toBe(20)
    expect(sizeForSource(10, 20 * GiB)).toBe(20)
  })
  it('a source that fits leaves it alone', () => {
    expect(sizeForSource(30, 12 * GiB)).toBe(30)
    expect(sizeForSource(12, 12 * GiB)).toBe(12)
  })
  it('an empty size takes the one the source suggests', () =>
    expect(sizeForSource(Number.NaN, 3 * GiB)).toBe(10))
  it('the largest source gives the largest disk', () => expect(roomyGiB(1023 * GiB)).toBe(1023))
  it('part of a GiB counts as a whole one', () => expect(leastGiB(2.5 * GiB)).toBe(3))
  it.each([
    [0, undefined, 'Must be at least 1 GiB'],
    [1024, undefined, 'Can be at most 1023 GiB'],
    [11, 12, 'Must be as large as selected image (min. 12 GiB)'],
    [12, 12, undefined],
    [1, undefined, undefined],
  ])('%s GiB from an image of %s GiB: %s', (size, image, problem) => {
    const source = image === undefined ? undefined : ({ noun: 'image', bytes: image * GiB } as const)
    expect(diskSizeProblem(size, source)).toBe(problem)
  })
})

describe('a clone of a disk', () => {
  const disk = { name: 'data', description: 'Books', size: 20 * GiB, blockSize: 512 }

  it('is blank like the other one, with a different name', () => {
    expect(diskToBody(cloneOf(disk))).toEqual({
      name: 'data-copy',
      description: 'Books',
      size: 20 * GiB,
      diskSource: { type: 'blank', blockSize: 512 },
    })
  })
  it('is made from the same snapshot or image', () => {
    expect(diskToBody(cloneOf({ ...disk, snapshotId: 's' })).diskSource).toEqual({
      type: 'snapshot',
      snapshotId: 's',
    })
    expect(diskToBody(cloneOf({ ...disk, imageId: 'i' })).diskSource).toEqual({ type: 'image', imageId: 'i' })
  })
  it('has a name that is not too long', () => {
    expect(cloneOf({ ...disk, name: 'a'.repeat(63) }).name).toBe(`${'a'.repeat(58)}-copy`)
  })
})
