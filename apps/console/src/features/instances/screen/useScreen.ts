import { urlOf } from '@purlin/contract/client'
import { instanceDisplay, instanceView } from '@purlin/contract/operations/instances/instances'
import { errorMessage } from '#/api/errors.ts'
import { send } from '#/api/send.ts'
import { argsOf, type InstanceTarget } from '#/features/instance-state/update.ts'
import { useSession } from '../serial-console/useConsole.ts'

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
export const useScreen = (target: InstanceTarget, isAllowed: boolean) =>
  useSession(isAllowed, () => ({
    url: urlOf(instanceDisplay, argsOf(target)),
    explain: () => explain(target),
    needsOutput: true,
  }))
