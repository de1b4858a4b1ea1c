import { GiB, MiB } from '@purlin/contract/rules/limits'
import { describe, expect, it } from 'vitest'
import { diskSizeFor, fileProblem, quotaProblem } from './rules.ts'

describe('a file to upload', () => {
  it.each([
    [0, 512, 'The file is empty'],
    [512, 512, undefined],
    [513, 512, 'File size must be a multiple of the block size (512 bytes)'],
    [512, 4096, 'File size must be a multiple of the block size (4096 bytes)'],
    [1023 * GiB, 512, undefined],
    [1023 * GiB + 512, 512, 'The file can be at most 1023 GiB'],
  ])('of %d bytes in blocks of %d: %s', (size, blockSize, problem) => {
    expect(fileProblem({ size }, blockSize)).toBe(problem)
  })

  it('has no problem before it is chosen', () => expect(fileProblem(null, 512)).toBeUndefined())

  it('needs a disk of whole GiB', () => {
    expect([512, GiB, GiB + 512].map(diskSizeFor)).toEqual([GiB, GiB, 2 * GiB])
  })

  it('needs free quota for that disk and its snapshot', () => {
    const problem = (free: number, hasDisk = false) => {
      const provisioned = { cpus: 0, memory: 0, storage: 5 * GiB }
      const capacity = { ...provisioned, storage: 5 * GiB + free }
      return quotaProblem(64 * MiB, { utilization: { provisioned, capacity }, hasDisk })
    }
    expect(problem(2 * GiB)).toBeUndefined()
    expect(problem(2 * GiB - 1)).toContain('2 GiB of storage')
    expect(problem(GiB, true)).toBeUndefined()
    expect(problem(-GiB)).toContain('only 0 B ')
  })
})
