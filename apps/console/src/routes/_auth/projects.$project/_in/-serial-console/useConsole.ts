import { urlOf } from '@purlin/contract/client'
import { instanceSerialConsole, instanceSerialConsoleStream } from '@purlin/contract/operations/instances'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { errorMessage, send } from '../../../../../send.ts'
import { argsOf, type InstanceTarget } from '../../../../../parts/instance/update.ts'
import { link } from '../../../../../transport.ts'
import { ConsoleSession, type ConsoleState } from './ConsoleSession.ts'

/** bytes of earlier output that a new connection begins with */
const mostRecent = 256 * 1024

const timer = {
  now: () => Date.now(),
  after: (ms: number, fn: () => void) => {
    const id = window.setTimeout(fn, ms)
    return () => window.clearTimeout(id)
  },
}

/** Asks for output in the plain way, because its refusal comes with words. */
async function explain(target: InstanceTarget): Promise<string> {
  const { params, query } = argsOf(target)
  try {
    await send(instanceSerialConsole, { params, query: { ...query, mostRecent: 0, maxBytes: 0 } })
    return 'Its output can be read, but no live connection was made. That needs at least the collaborator role on the project, and a network that lets WebSockets through'
  } catch (error) {
    return errorMessage(error)
  }
}

/** The serial console of an instance, for as long as the component is mounted. */
export function useConsole(
  target: InstanceTarget,
  isAllowed: boolean,
): { session: ConsoleSession; state: ConsoleState } {
  const [session] = useState(() => {
    const url = urlOf(instanceSerialConsoleStream, {
      params: { instance: target.instance },
      query: { project: target.project, mostRecent },
    })
    return new ConsoleSession({
      timer,
      open: (on) => link().openSocket(url, on),
      explain: () => explain(target),
    })
  })
  const state = useSyncExternalStore(session.subscribe, session.state)
  useEffect(() => session.allow(isAllowed), [session, isAllowed])
  useEffect(() => () => session.close(), [session])
  return { session, state }
}
