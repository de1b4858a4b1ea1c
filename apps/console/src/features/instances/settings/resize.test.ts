import { describe, expect, it } from 'vitest'
import { cpuProblem, memoryProblem, sizeChanges, sizeToForm } from './resize.ts'

const GiB = 1024 ** 3
const shown = { ncpus: 2, memory: 4 * GiB }

describe('resizing an instance', () => {
  it('sends only what was changed', () => {
    expect(sizeChanges({ ncpus: 2, memory: 8 }, shown)).toEqual({ memory: 8 * GiB })
    expect(sizeChanges({ ncpus: 4, memory: 4 }, shown)).toEqual({ ncpus: 4 })
    expect(sizeChanges({ ncpus: 4, memory: 8 }, shown)).toEqual({ ncpus: 4, memory: 8 * GiB })
  })
  it('the size shown is no change', () => expect(sizeChanges(sizeToForm(shown), shown)).toEqual({}))
  it.each([
    [0, 'Must be at least 1 vCPU'],
    [1, undefined],
    [64, undefined],
    [65, 'Can be at most 64'],
  ])('%s vCPUs: %s', (count, problem) => expect(cpuProblem(count)).toBe(problem))
  it.each([
    [0, 'Must be at least 1 GiB'],
    [1536, undefined],
    [1537, 'Can be at most 1536 GiB'],
  ])('%s GiB: %s', (size, problem) => expect(memoryProblem(size)).toBe(problem))
})
