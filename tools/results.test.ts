import { describe, expect, it } from 'vitest'
import {
  add,
  closingLine,
  cpuSeconds,
  fromPlaywright,
  fromVitest,
  none,
  oneFailed,
  withExit,
} from './results.ts'

describe('counting results', () => {
  it('counts a test file that broke before its first test as one failure', () => {
    const counts = fromVitest({
      numPassedTests: 2,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [
        { status: 'passed', assertionResults: [1, 2] },
        { status: 'failed', assertionResults: [3] },
        { status: 'failed', assertionResults: [] },
      ],
    })
    expect(counts).toEqual({ passed: 2, failed: 2, skipped: 2 })
  })

  it('counts flaky journeys as passed and errors outside of tests as failures', () => {
    const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }
    expect(fromPlaywright({ stats, errors: ['no server'] })).toEqual({ passed: 6, failed: 2, skipped: 2 })
  })

  it('takes a step that ended badly without a failed test, or without any count, as one failure', () => {
    expect(withExit({ ...none, passed: 3 }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
    expect(withExit({ ...none, passed: 3 }, null)).toEqual({ passed: 3, failed: 1, skipped: 0 })
    expect(withExit({ ...none, passed: 3, failed: 2 }, 1)).toEqual({ passed: 3, failed: 2, skipped: 0 })
    expect(withExit({ ...none, passed: 3 }, 0)).toEqual({ passed: 3, failed: 0, skipped: 0 })
    expect(withExit(undefined, 0)).toEqual(oneFailed)
  })

  it('names skipped tests in the closing line only if there are any', () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
    expect(closingLine(add([oneFailed, { passed: 1, failed: 0, skipped: 4 }]))).toBe(
      '1 passed, 1 failed, 4 skipped',
    )
  })

  it('adds up what the shell says of processor time', () => {
    expect(cpuSeconds('0m0.010s 0m0.005s\n1m2.500s 0m0.500s\n')).toBeCloseTo(63.015)
  })
})
