/** What the page says of its connection. */
import { instanceCan, type InstanceState } from '@purlin/contract/rules/instance'
import type { BadgeTone } from '../../../../../ui/Badge.tsx'
import type { ConsoleState } from './ConsoleSession.ts'

/** The id of the words that say which keys are not the guest's. */
export const keysHintId = 'serial-console-keys'

export interface ConsoleStatus {
  badge: { tone: BadgeTone; word: string }
  /** Said over the terminal, or instead of it; absent while connected. */
  message?: {
    title: string
    text?: string
    /** When the next attempt comes; it changes every second. */
    retry?: string
    /** Something is under way by itself. */
    busy: boolean
    /** The title ends with the instance's state. */
    aboutState?: boolean
    mayReconnect?: boolean
  }
}

const sentence = (text: string) => {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`
}
const inSeconds = (retryAt: number | null, now: number) =>
  retryAt === null ? '' : `Trying again in ${Math.max(1, Math.ceil((retryAt - now) / 1000))} s.`

/** What the connection depends on. */
export interface ConsoleOwner {
  runState: InstanceState
  /** Why the person may not open the console at all. */
  refused: string | undefined
  /** Why the instance does not run, if it did not mean to rest. */
  restReason?: string | undefined
}

/** What to say of a console in this state of an instance. `now` in ms. */
export function statusOf(state: ConsoleState, owner: ConsoleOwner, now: number): ConsoleStatus {
  const { runState: instance, refused } = owner
  if (state.at === 'open') return { badge: { tone: 'ok', word: 'connected' } }
  if (refused)
    return {
      badge: { tone: 'idle', word: 'disconnected' },
      message: { title: 'You cannot open this serial console', text: refused, busy: false },
    }
  // An instance without a console explains every kind of missing connection.
  if (state.at !== 'connecting' && !instanceCan('serialConsole', instance)) return withoutConsole(owner)
  if (state.at !== 'lost')
    return {
      badge: { tone: 'busy', word: 'connecting' },
      message: { title: 'Connecting to serial console', busy: true },
    }
  const retry = inSeconds(state.retryAt, now)
  const text = sentence(state.reason) || (state.failed ? 'Please try again.' : '')
  return {
    badge: state.failed ? { tone: 'danger', word: 'error' } : { tone: 'idle', word: 'disconnected' },
    message: {
      title: state.failed ? 'Serial console connection failed' : 'Serial console disconnected',
      text,
      retry,
      busy: false,
      mayReconnect: true,
    },
  }
}

function withoutConsole({ runState: instance, restReason = '' }: ConsoleOwner): ConsoleStatus {
  const isStarting = instance === 'creating' || instance === 'starting'
  return {
    badge: { tone: 'idle', word: 'disconnected' },
    message: {
      title: 'The instance is',
      aboutState: true,
      busy: isStarting,
      text: isStarting
        ? 'Waiting for the instance to start before connecting.'
        : `You can only connect to the serial console on a running instance. ${sentence(restReason)}`.trimEnd(),
    },
  }
}

/** How soon the instance is looked at again, in ms; false while the console itself tells how it is. */
export function consoleInterval(at: ConsoleState['at'], instance: InstanceState | undefined): number | false {
  if (at === 'open') return false
  return instance === 'creating' || instance === 'starting' ? 1000 : 3000
}
