import { expect, it } from 'vitest'
import type { Disk } from '../../../../../../parts/disk/disks.tsx'
import { describeUpload } from '../../../../../../parts/disk/imports.ts'
import { findLeft, type Sought } from './left.ts'

const file = { name: 'web.raw', size: 4096, lastModified: 1e12 }
const disk = (id: string, changes: Partial<Disk> = {}) =>
  ({
    id,
    name: `tmp-for-image-${id}`,
    description: describeUpload(file, 'web'),
    blockSize: 512,
    state: { state: 'importing_from_bulk_writes' },
    ...changes,
  }) as Disk

const sought: Sought = { file, blockSize: 512, resume: undefined, own: undefined }
const sent = { bytes: 0, sum: 0, reach: 0 }
const find = (disks: Disk[], changes: Partial<Sought> = {}, locked: string[] = [], unknown: string[] = []) =>
  findLeft(
    disks,
    { ...sought, ...changes },
    { locked: new Set(locked), read: (id) => (unknown.includes(id) ? undefined : sent) },
  )?.id

it('is the one that the person came for, then one of the right block size, then any', () => {
  const disks = [disk('a', { blockSize: 4096 }), disk('b'), disk('c')]
  expect(find(disks)).toBe('b')
  expect(find(disks, { resume: disks[2] })).toBe('c')
  expect(find(disks, { resume: disks[0] })).toBe('b')
  expect(find(disks, { blockSize: 2048 })).toBe('a')
})

it('is none that an upload is at, that this browser does not know, or that is the form’s own', () => {
  expect(find([disk('a')], {}, ['tmp-for-image-a'])).toBeUndefined()
  expect(find([disk('a')], {}, [], ['a'])).toBeUndefined()
  expect(find([disk('a')], { own: 'tmp-for-image-a' })).toBeUndefined()
  expect(find([disk('a'), disk('b')], { own: 'tmp-for-image-a' })).toBe('b')
})

it('is none of another file, and none into which nothing is imported any more', () => {
  expect(find([disk('a')], { file: null })).toBeUndefined()
  expect(find([disk('a')], { file: { ...file, size: 1 } })).toBeUndefined()
  expect(find([disk('a', { state: { state: 'detached' } as Disk['state'] })])).toBeUndefined()
  expect(find([disk('a', { name: 'mine' })])).toBeUndefined()
})
