import { messages } from '@purlin/contract/rules/messages'
import { describe, expect, it } from 'vitest'
import { consoleInterval, statusOf } from './statusOf.ts'

const lost = { at: 'lost', reason: '', failed: false, retryAt: null } as const

describe('the status of the console', () => {
  it.each([
    [{ at: 'open' } as const, 'running', 'connected', undefined],
    [{ at: 'connecting' } as const, 'running', 'connecting', 'Connecting to serial console'],
    // The terminal is still loading: it looks the same as connecting.
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
    const { badge, message } = statusOf(
      state,
      { runState: instance, noun: 'serial console', forbiddenReason: undefined },
      0,
    )
    expect(badge.text).toBe(word)
    expect(message === undefined ? [undefined] : [message.title, message.text]).toContain(text)
  })
  it('says if the user may not connect, whatever the state of the instance', () => {
    const forbiddenReason = 'This requires the collaborator role on the project.'
    for (const runState of ['running', 'stopped'] as const)
      expect(
        statusOf({ at: 'idle' }, { runState, noun: 'serial console', forbiddenReason }, 0).message?.text,
      ).toBe(forbiddenReason)
  })
  it('says why an instance is not running', () => {
    const owner = {
      runState: 'stopped',
      forbiddenReason: undefined,
      restReason: 'no sled has room',
      noun: 'serial console',
    } as const
    expect(statusOf({ at: 'idle' }, owner, 0).message?.text).toBe(
      'You can only connect to the serial console on a running instance. No sled has room.',
    )
  })
  it('offers to connect again to a screen that may come, but not to that of a simulated machine', () => {
    const context = { runState: 'running', noun: 'screen', forbiddenReason: undefined } as const
    const none = (reason: string) => statusOf({ ...lost, reason, isNone: true }, context, 0)
    expect(none('16 clients watch it').message?.mayReconnect).toBe(true)
    expect(none(messages.simulatedHasNoScreen({}))).toEqual({
      badge: { tone: 'idle', text: 'no screen' },
      message: {
        title: 'No screen',
        text: 'The machine is simulated, and has no screen.',
        busy: false,
        mayReconnect: false,
      },
    })
  })
  it('shows the reason and the time of the next attempt', () => {
    const state = { ...lost, reason: 'the session has ended', retryAt: 4000 }
    expect(
      statusOf(state, { runState: 'running', noun: 'serial console', forbiddenReason: undefined }, 500)
        .message,
    ).toMatchObject({
      text: 'The session has ended.',
      retry: 'Trying again in 4 s.',
    })
  })
})

describe('polling the instance', () => {
  it('is fast while it starts, slow otherwise, and off while connected', () => {
    expect(consoleInterval('idle', 'starting')).toBe(1000)
    expect(consoleInterval('lost', 'stopped')).toBe(3000)
    expect(consoleInterval('open', 'running')).toBe(false)
  })
})
