import { expect, it } from 'vitest'
import type { Disk } from '#/features/disks/disks.tsx'
import { describeUpload } from '#/features/disks/imports/imports.ts'
import { findResumable, type ResumeSearch } from './resumable.ts'

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

const search: ResumeSearch = { file, blockSize: 512, resume: undefined, own: undefined }
const sent = { bytes: 0, sum: 0, reach: 0 }
const find = (
  disks: Disk[],
  changes: Partial<ResumeSearch> = {},
  locked: string[] = [],
  unknown: string[] = [],
) =>
  findResumable(
    disks,
    { ...search, ...changes },
    { locked: new Set(locked), read: (id) => (unknown.includes(id) ? undefined : sent) },
  )?.id

it('prefers the disk that the user chose, then one with the same block size', () => {
  const disks = [disk('a', { blockSize: 4096 }), disk('b'), disk('c')]
  expect(find(disks)).toBe('b')
  expect(find(disks, { resume: disks[2] })).toBe('c')
  expect(find(disks, { resume: disks[0] })).toBe('b')
  expect(find(disks, { blockSize: 2048 })).toBe('a')
})

it('skips disks that are busy, unknown to this browser, or of the form’s own upload', () => {
  expect(find([disk('a')], {}, ['tmp-for-image-a'])).toBeUndefined()
  expect(find([disk('a')], {}, [], ['a'])).toBeUndefined()
  expect(find([disk('a')], { own: 'tmp-for-image-a' })).toBeUndefined()
  expect(find([disk('a'), disk('b')], { own: 'tmp-for-image-a' })).toBe('b')
})

it('skips disks of other files and disks whose import has ended', () => {
  expect(find([disk('a')], { file: null })).toBeUndefined()
  expect(find([disk('a')], { file: { ...file, size: 1 } })).toBeUndefined()
  expect(find([disk('a', { state: { state: 'detached' } as Disk['state'] })])).toBeUndefined()
  expect(find([disk('a', { name: 'mine' })])).toBeUndefined()
})
