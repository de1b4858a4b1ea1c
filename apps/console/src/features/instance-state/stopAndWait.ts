import { instanceStop, instanceView } from '@purlin/contract/operations/instances/instances'
import { remember } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { argsOf, reloadLists, sendMove, type InstanceTarget } from './update.ts'

const pauseMs = 1000

/** Stops an instance and waits until it is on its way no longer. Throws ApiError, or when `signal` says so. */
export async function stopAndWait(target: InstanceTarget, signal: AbortSignal): Promise<void> {
  const args = argsOf(target)
  await sendMove(instanceStop, target)
  for (;;) {
    const now = await send(instanceView, args, signal)
    remember(instanceView, args, now)
    if (now.runState !== 'stopping') return void reloadLists()
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
