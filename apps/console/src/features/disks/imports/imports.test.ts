import { describe, expect, it } from 'vitest'
import {
  describeUpload,
  isImporting,
  isSameFile,
  newDiskName,
  resumePath,
  snapshotNameOf,
  uploadOf,
} from './imports.ts'

const file = { name: 'a "b", 3 bytes\n日本.raw', size: 67_108_864, lastModified: 1_790_000_000_123 }

describe('a half-written disk', () => {
  it('says which file it is for, whatever that is called', () => {
    const disk = { name: newDiskName(), description: describeUpload(file, 'web-1') }
    expect(uploadOf(disk)).toEqual({ file, image: 'web-1' })
  })

  it('fits its description, and knows a file whose name does not', () => {
    const long = { ...file, name: 'x'.repeat(400) }
    const description = describeUpload(long, 'i'.repeat(63))
    expect(description.length).toBeLessThanOrEqual(512)
    expect(isSameFile(uploadOf({ name: newDiskName(), description })?.file ?? file, long)).toBe(true)
  })

  it.each([
    ['disk', describeUpload(file, 'web')],
    [newDiskName(), 'My own words'],
    [newDiskName(), 'Upload of "\\x", 3 bytes, changed now, for image web'],
  ])('is none of ours as %s: %s', (name, description) => {
    expect(uploadOf({ name, description })).toBeUndefined()
  })

  it('has a valid name, and a snapshot named after it', () => {
    const name = newDiskName()
    expect(name).toMatch(/^tmp-for-image-[a-z0-9]+$/)
    expect(snapshotNameOf(name)).toBe(name.replace('tmp-for-image', 'tmp-snapshot'))
    expect(resumePath('my project', name)).toBe(`/projects/my%20project/images-new?resume=${name}`)
  })

  it('is one as long as blocks may come', () => {
    const at = (state: string) => isImporting({ state: { state } })
    expect(['import_ready', 'importing_from_bulk_writes', 'finalizing', 'detached'].map(at)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

it('files differ by name, size, or time', () => {
  expect(isSameFile(file, { ...file })).toBe(true)
  for (const other of [{ name: 'b' }, { size: 1 }, { lastModified: 1 }])
    expect(isSameFile(file, { ...file, ...other })).toBe(false)
})
