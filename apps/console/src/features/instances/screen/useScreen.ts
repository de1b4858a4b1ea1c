import { urlOf } from '@purlin/contract/client'
import { instanceDisplay, instanceView } from '@purlin/contract/operations/instances/instances'
import { useEffect, useState } from 'react'
import { useStore } from '#/lib/store.ts'
import { errorMessage } from '#/api/errors.ts'
import { send } from '#/api/send.ts'
import { transport } from '#/api/transport.ts'
import { argsOf, type InstanceTarget } from '#/features/instance-state/update.ts'
import { ConsoleSession, type ConsoleState } from '../serial-console/ConsoleSession.ts'
import { timer } from '../serial-console/useConsole.ts'

/** Finds out why a socket was rejected: a request for the instance may fail with a message. */
async function explain(target: InstanceTarget): Promise<string> {
  try {
    await send(instanceView, argsOf(target))
    return 'Could not open the live connection. It requires a network that allows WebSockets'
  } catch (error) {
    return errorMessage(error)
  }
}

/** The screen of an instance, for as long as the component is mounted. */
export function useScreen(
  target: InstanceTarget,
  isAllowed: boolean,
): { session: ConsoleSession; state: ConsoleState } {
  const [session] = useState(() => {
    const url = urlOf(instanceDisplay, {
      params: { instance: target.instance },
      query: { project: target.project },
    })
    return new ConsoleSession({
      timer,
      open: (on) => transport().openSocket(url, on),
      explain: () => explain(target),
      needsOutput: true,
    })
  })
  const state = useStore({ subscribe: session.subscribe, get: session.state })
  useEffect(() => session.allow(isAllowed), [session, isAllowed])
  useEffect(() => () => session.close(), [session])
  return { session, state }
}
