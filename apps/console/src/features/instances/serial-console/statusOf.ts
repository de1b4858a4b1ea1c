/** The status of the connection as shown on the page. */
import { messages } from '@purlin/contract/rules/messages'
import { instanceCan, type InstanceState } from '@purlin/contract/rules/states'
import type { BadgeTone } from '#/ui/value/Badge.tsx'
import { capitalize } from '#/lib/text.ts'
import type { ConsoleState } from './ConsoleSession.ts'

/** The id of the hint about keys that are not sent to the guest. */
export const keysHintId = 'serial-console-keys'

export interface ConsoleStatus {
  badge: { tone: BadgeTone; text: string }
  /** Shown above the terminal or instead of it; absent while connected. */
  message?: {
    title: string
    text?: string
    /** The countdown to the next attempt. */
    retry?: string
    /** Shows a spinner. */
    busy: boolean
    /** The state of the instance is appended to the title. */
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

/** The instance and the user, as far as the connection depends on them. */
export interface ConsoleContext {
  runState: InstanceState
  noun: 'serial console' | 'screen'
  /** Why the user may not open the console. */
  forbiddenReason: string | undefined
  /** Why the instance is not running, if that is unexpected. */
  restReason?: string | undefined
}

/** The status of a console. `now` in ms. */
export function statusOf(state: ConsoleState, context: ConsoleContext, now: number): ConsoleStatus {
  const { runState: instance, forbiddenReason, noun } = context
  if (state.at === 'open') return { badge: { tone: 'ok', text: 'connected' } }
  if (forbiddenReason)
    return {
      badge: { tone: 'idle', text: 'disconnected' },
      message: { title: `You cannot open this ${noun}`, text: forbiddenReason, busy: false },
    }
  // Without a console, the state of the instance is the reason.
  if (state.at !== 'connecting' && !instanceCan('serialConsole', instance)) return withoutConsole(context)
  if (state.at !== 'lost')
    return {
      badge: { tone: 'busy', text: 'connecting' },
      message: { title: `Connecting to ${noun}`, busy: true },
    }
  if (state.isNone)
    return {
      badge: { tone: 'idle', text: `no ${noun}` },
      message: {
        title: `No ${noun}`,
        text: sentence(state.reason),
        busy: false,
        // A simulated machine never gets one.
        mayReconnect: state.reason !== messages.simulatedHasNoScreen({}),
      },
    }
  const retry = inSeconds(state.retryAt, now)
  const text = sentence(state.reason) || (state.failed ? 'Please try again.' : '')
  return {
    badge: state.failed ? { tone: 'danger', text: 'error' } : { tone: 'idle', text: 'disconnected' },
    message: {
      title: `${capitalize(noun)} ${state.failed ? 'connection failed' : 'disconnected'}`,
      text,
      retry,
      busy: false,
      mayReconnect: true,
    },
  }
}

function withoutConsole({ runState: instance, noun, restReason = '' }: ConsoleContext): ConsoleStatus {
  const isStarting = instance === 'creating' || instance === 'starting'
  return {
    badge: { tone: 'idle', text: 'disconnected' },
    message: {
      title: 'The instance is',
      aboutState: true,
      busy: isStarting,
      text: isStarting
        ? 'Waiting for the instance to start before connecting.'
        : `You can only connect to the ${noun} on a running instance. ${sentence(restReason)}`.trimEnd(),
    },
  }
}

/** The polling interval of the instance in ms; false while connected, because the console shows its state. */
export function consoleInterval(at: ConsoleState['at'], instance: InstanceState | undefined): number | false {
  if (at === 'open') return false
  return instance === 'creating' || instance === 'starting' ? 1000 : 3000
}
