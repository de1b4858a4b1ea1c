import { isOlder } from '@purlin/contract/rules/versions'
import { describe, expect, it } from 'vitest'
import { breakdownOf, pollMs, progressOf, targetReason } from './progress.ts'

const at = (version: string, timeRequested = new Date(0)) => ({ version, timeRequested })
const status = (counts: Record<string, number>, version?: string) => ({
  targetRelease: version === undefined ? null : at(version),
  componentsByReleaseVersion: counts,
  timeLastStepPlanned: new Date(0),
  suspended: false,
})

describe('progress', () => {
  it('is the share of components at the target, and 100 % only with all of them', () => {
    expect(progressOf(status({ '1.0.0': 1, '2.0.0': 999 }, '2.0.0'))).toEqual({
      percent: 99,
      current: 999,
      total: 1000,
    })
    expect(progressOf(status({ '2.0.0': 4 }, '2.0.0'))).toEqual({ percent: 100, current: 4, total: 4 })
    expect(progressOf(status({ 'install dataset': 3 }, '2.0.0'))?.percent).toBe(0)
    expect(progressOf(status({ '2.0.0': 4 }))).toBeNull()
    expect(progressOf(status({}, '2.0.0'))).toBeNull()
  })

  it('is listed with the target first, factory software and unknown ones last', () => {
    const counts = { unknown: 1, '1.0.0': 2, 'install dataset': 3, '2.0.0': 4, '1.1.0': 5 }
    expect(breakdownOf(status(counts, '2.0.0')).map(({ release }) => release)).toEqual([
      '2.0.0',
      '1.1.0',
      '1.0.0',
      'install dataset',
      'unknown',
    ])
  })

  it('is read every 20 s for half an hour after the target was set or a step was planned', () => {
    const now = 10 * 3_600_000
    const recent = new Date(now - 29 * 60_000)
    const old = new Date(now - 31 * 60_000)
    expect(pollMs({ ...status({}), targetRelease: at('1.0.0', recent), timeLastStepPlanned: old }, now)).toBe(
      20_000,
    )
    expect(pollMs({ ...status({}), timeLastStepPlanned: recent }, now)).toBe(20_000)
    expect(pollMs({ ...status({}), timeLastStepPlanned: old }, now)).toBe(120_000)
  })
})

it('a release becomes the target unless it is that or older, whatever its build metadata', () => {
  const reason = (version: string, target?: string) => targetReason(version, { target, isOlder })
  expect(reason('1.0.0')).toBeUndefined()
  expect(reason('1.1.0', '1.0.0')).toBeUndefined()
  expect(reason('1.0.0', '1.0.0')).toBe('Already set as target')
  expect(reason('1.0.0-rc.1', '1.0.0')).toBe('Cannot set older release as target')
  expect(reason('1.0.0+b', '1.0.0+a')).toBeUndefined()
})
