import { describe, expect, it } from 'vitest'
import { cpuProblem, memoryProblem } from './sizes.ts'

describe('the size of an instance', () => {
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
