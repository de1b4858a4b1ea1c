import { describe, expect, it } from 'vitest'
import { consoleInterval, statusOf } from './statusOf.ts'

const lost = { at: 'lost', reason: '', failed: false, retryAt: null } as const

describe('what the console says', () => {
  it.each([
    [{ at: 'open' } as const, 'running', 'connected', undefined],
    [{ at: 'connecting' } as const, 'running', 'connecting', 'Connecting to serial console'],
    // The terminal is still loading: the person sees one and the same waiting.
    [{ at: 'idle' } as const, 'running', 'connecting', 'Connecting to serial console'],
    [
      { at: 'idle' } as const,
      'starting',
      'disconnected',
      'Waiting for the instance to start before connecting.',
    ],
    [
      { at: 'idle' } as const,
      'stopped',
      'disconnected',
      'You can only connect to the serial console on a running instance.',
    ],
    [lost, 'stopping', 'disconnected', 'You can only connect to the serial console on a running instance.'],
    [{ ...lost, failed: true }, 'running', 'error', 'Please try again.'],
    [lost, 'running', 'disconnected', 'Serial console disconnected'],
  ] as const)('%j of a %s instance: %s', (state, instance, word, text) => {
    const { badge, message } = statusOf(state, { runState: instance, refused: undefined }, 0)
    expect(badge.word).toBe(word)
    expect(message === undefined ? [undefined] : [message.title, message.text]).toContain(text)
  })
  it('tells those who may not, whatever the instance does', () => {
    const refused = 'This takes the collaborator role on the project.'
    for (const runState of ['running', 'stopped'] as const)
      expect(statusOf({ at: 'idle' }, { runState, refused }, 0).message?.text).toBe(refused)
  })
  it('says why an instance does not run', () => {
    const owner = { runState: 'stopped', refused: undefined, restReason: 'no sled has room' } as const
    expect(statusOf({ at: 'idle' }, owner, 0).message?.text).toBe(
      'You can only connect to the serial console on a running instance. No sled has room.',
    )
  })
  it('gives the reason, and says when it will try again', () => {
    const state = { ...lost, reason: 'the session has ended', retryAt: 4000 }
    expect(statusOf(state, { runState: 'running', refused: undefined }, 500).message).toMatchObject({
      text: 'The session has ended.',
      retry: 'Trying again in 4 s.',
    })
  })
})

describe('looking after the instance', () => {
  it('is frequent while it starts, slower while it rests, and needless while connected', () => {
    expect(consoleInterval('idle', 'starting')).toBe(1000)
    expect(consoleInterval('lost', 'stopped')).toBe(3000)
    expect(consoleInterval('open', 'running')).toBe(false)
  })
})
