import { urlOf } from '@purlin/contract/client'
import {
  instanceSerialConsole,
  instanceSerialConsoleStream,
} from '@purlin/contract/operations/instances/instances'
import { useEffect, useState } from 'react'
import { serverNow } from '#/lib/clock.ts'
import { useStore } from '#/lib/store.ts'
import { errorMessage } from '#/api/errors.ts'
import { send } from '#/api/send.ts'
import { argsOf, type InstanceTarget } from '#/features/instance-state/update.ts'
import { transport } from '#/api/transport.ts'
import { ConsoleSession, type ConsoleState, type SessionEnvironment } from './ConsoleSession.ts'

/** bytes of earlier output that a new connection starts with */
const mostRecent = 256 * 1024

export const timer = {
  now: serverNow,
  after: (ms: number, fn: () => void) => {
    const id = window.setTimeout(fn, ms)
    return () => window.clearTimeout(id)
  },
}

/** Finds out why a socket was rejected: a request for the output fails with a message. */
async function explain(target: InstanceTarget): Promise<string> {
  const { params, query } = argsOf(target)
  try {
    await send(instanceSerialConsole, { params, query: { ...query, mostRecent: 0, maxBytes: 0 } })
    return 'Could not open the live connection. It requires the collaborator role on the project and a network that allows WebSockets'
  } catch (error) {
    return errorMessage(error)
  }
}

/** The serial console of an instance, for as long as the component is mounted. */
export const useConsole = (target: InstanceTarget, isAllowed: boolean) =>
  useSession(isAllowed, () => ({
    url: urlOf(instanceSerialConsoleStream, {
      params: { instance: target.instance },
      query: { project: target.project, mostRecent },
    }),
    explain: () => explain(target),
  }))

interface Connection extends Pick<SessionEnvironment, 'explain' | 'needsOutput'> {
  url: string
}

/** A session for as long as the component is mounted. */
export function useSession(
  isAllowed: boolean,
  connect: () => Connection,
): { session: ConsoleSession; state: ConsoleState } {
  const [session] = useState(() => {
    const { url, ...more } = connect()
    return new ConsoleSession({ ...more, timer, open: (on) => transport().openSocket(url, on) })
  })
  const state = useStore({ subscribe: session.subscribe, get: session.state })
  useEffect(() => session.allow(isAllowed), [session, isAllowed])
  useEffect(() => () => session.close(), [session])
  return { session, state }
}
