import { describe, expect, it } from 'vitest'
import { autoRestartStatus, policyOf, policyToWire, spanInWords } from './autoRestart.ts'

const failed = (autoRestartEnabled: boolean, expiry: number | null) => ({
  autoRestartEnabled,
  autoRestartCooldownExpiration: expiry === null ? null : new Date(expiry),
})

describe('the restart of a failed instance', () => {
  it.each([
    ['never, cooldown or not', failed(false, 60_000), { at: 'off' }],
    ['soon, if it was never restarted', failed(true, null), { at: 'soon' }],
    ['soon, once the cooldown is over', failed(true, 1000), { at: 'soon' }],
    ['after the cooldown', failed(true, 301_000), { at: 'waiting', left: '5 minutes' }],
  ])('%s', (_, instance, status) => expect(autoRestartStatus(instance, 1000)).toEqual(status))
  it.each([
    [500, '1 second'],
    [30_000, '30 seconds'],
    [60_000, '1 minute'],
    [61_000, '2 minutes'],
  ])('%s ms are %s', (ms, words) => expect(spanInWords(ms)).toBe(words))
})

describe('the auto-restart policy', () => {
  it('an unset policy is the default, and back', () => {
    expect(policyOf({})).toBe('default')
    expect(policyOf({ autoRestartPolicy: null })).toBe('default')
    expect(policyToWire('default')).toBeNull()
    expect(policyToWire('best_effort')).toBe('best_effort')
  })
})
