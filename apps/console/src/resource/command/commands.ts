/** Requests that a dialog shows as commands. */
import type { Requests, ShownRequest } from '#/api/request.ts'
import { createStore } from '#/lib/store.ts'
import { toastFailure } from '../actions/toasts.tsx'

/** Makes the requests of what is filled in now; undefined as long as that is not complete, which the form shows itself. */
export type MakeRequests = () => Promise<readonly ShownRequest[] | undefined>

/** Makes them. A failure is a notification. */
export async function requestsBy(make: MakeRequests): Promise<readonly ShownRequest[] | undefined> {
  try {
    return await make()
  } catch (error) {
    toastFailure('Could not make the command', error)
  }
}

/** Some requests, or what reads for them, as a form makes them. */
export const making =
  (requests: Requests | (() => Requests | Promise<Requests>)): MakeRequests =>
  async () =>
    [await (typeof requests === 'function' ? requests() : requests)].flat()

/** An action and its requests. */
export interface ShownAction {
  label: string
  requests: MakeRequests
}

/** The actions that the dialog offers, or null while it is closed. */
export const commandStore = createStore<readonly ShownAction[] | null>(null)
