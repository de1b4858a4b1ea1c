import { describe, expect, it } from 'vitest'
import {
  add,
  closingLine,
  cpuSeconds,
  failuresFromPlaywright,
  failuresFromVitest,
  fromPlaywright,
  fromVitest,
  inOneLine,
  none,
  oneFailed,
  skipsFromPlaywright,
  skipsFromVitest,
  type VitestReport,
  withExit,
} from './results.ts'

const passed = { status: 'passed', fullName: 'lists passes' }
const failed = {
  status: 'failed',
  fullName: 'lists fails',
  failureMessages: ['\u001b[31mexpected 1\u001b[39m\nat x'],
}
const file = (status: string, assertionResults: VitestReport['testResults'][number]['assertionResults']) => ({
  name: 'a.test.ts',
  status,
  message: 'no such module',
  assertionResults,
})

describe('counting results', () => {
  it('counts a test file that broke before its first test as one failure', () => {
    const counts = fromVitest({
      numPassedTests: 2,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [file('passed', [passed, passed]), file('failed', [passed, failed]), file('failed', [])],
    })
    expect(counts).toEqual({ passed: 2, failed: 2, skipped: 2 })
  })

  it('counts flaky journeys as passed and errors outside of tests as failures', () => {
    const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }
    expect(fromPlaywright({ stats, errors: [{ message: 'no server' }], suites: [] })).toEqual({
      passed: 6,
      failed: 2,
      skipped: 2,
    })
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

describe('failures in words', () => {
  it('names failed tests, and files that broke before their first test', () => {
    const counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
    const testResults = [file('passed', [passed]), file('failed', [passed, failed]), file('failed', [])]
    expect(failuresFromVitest({ ...counts, testResults })).toEqual([
      'a.test.ts › lists fails\n    expected 1\n    at x',
      'a.test.ts\n    no such module',
    ])
  })

  it('fit into a line each: place, name and the beginning of the error', () => {
    expect(inOneLine('✗ unit: a.test.ts › lists fails\n    expected 1\n    at x')).toBe(
      '✗ unit: a.test.ts › lists fails: expected 1',
    )
    expect(inOneLine('✗ unit: a.test.ts')).toBe('✗ unit: a.test.ts')
    expect(inOneLine(`✗ unit: a.test.ts\n${'x'.repeat(9000)}`)).toHaveLength(400)
  })

  it('names failed journeys of any depth with their last error', () => {
    const journey = (status: string) => ({
      title: 'signs in',
      tests: [
        { status, projectName: 'server', results: [{}, { error: { message: 'too late' }, attachments }] },
      ],
    })
    const attachments = [{ name: 'error-context', path: 'context.md' }]
    const context =
      '# Error details\n\n```\ntoo late\n```\n\n```yaml\n- main:\n  - heading "Sign in"\n```\n\n# Test source\n'
    const stats = { expected: 1, unexpected: 1, flaky: 0, skipped: 0 }
    const suites = [
      {
        title: 'a.spec.ts',
        specs: [journey('expected')],
        suites: [{ title: 'group', specs: [journey('unexpected')] }],
      },
    ]
    expect(
      failuresFromPlaywright({ stats, suites, errors: [{ message: 'no server' }] }, () => context),
    ).toEqual([
      'outside of tests\n    no server',
      'a.spec.ts › group › [server] signs in\n    too late\n    - main:\n      - heading "Sign in"',
    ])
  })
})

describe('skipped tests in words', () => {
  it('are counted by file, with the reasons of that file', () => {
    const counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
    const skipped = { status: 'skipped', fullName: 'waits' }
    const testResults = [
      { ...file('passed', [passed, skipped, skipped]), name: '/a.test.ts' },
      { ...file('passed', [passed]), name: '/b.test.ts' },
      { ...file('passed', [skipped]), name: '/c.test.ts' },
    ]
    const why = (name: string, reason: string) => ({ file: name, reason })
    const skips = [why('/a.test.ts', 'no disk'), why('/a.test.ts', 'long'), why('/b.test.ts', 'no disk')]
    expect(skipsFromVitest({ ...counts, testResults }, [...skips, ...skips])).toEqual([
      '/a.test.ts: 2: no disk; long',
      '/c.test.ts: 1: no reason is given',
    ])
  })

  it('name journeys with their project', () => {
    const annotations = [{ type: 'skip', description: 'the preview has no socket' }]
    const journey = (status: string) => ({ status, projectName: 'preview', annotations, results: [] })
    const specs = [{ title: 'types', tests: [journey('skipped'), journey('expected')] }]
    const stats = { expected: 1, unexpected: 0, flaky: 0, skipped: 1 }
    expect(skipsFromPlaywright({ stats, errors: [], suites: [{ title: 'console.spec.ts', specs }] })).toEqual(
      ['console.spec.ts › [preview] types: the preview has no socket'],
    )
  })
})
