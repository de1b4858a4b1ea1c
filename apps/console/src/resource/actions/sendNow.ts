/** Actions that send a request at once, without a question. */
import type { OpShape, Result } from '@purlin/contract/op'
import { sendRequest, type ApiRequest } from '#/api/request.ts'
import { addToast, type ToastInput } from '#/ui/feedback/toast.ts'
import { toastFailure } from './toasts.tsx'

/** The notifications about a request, and what is read again after it, whether it succeeds or not. */
export interface Outcome<O extends OpShape, R = undefined> {
  /** undefined: the screen shows it without a notification. */
  done: (result: Result<O>, row: R) => ToastInput | undefined
  errorTitle: string
  reload: () => Promise<unknown>
}

/** Sends it, reads again what it changes, and says how it ended. */
export async function sendNow<O extends OpShape>(
  request: ApiRequest<O>,
  { done, errorTitle, reload }: Outcome<O>,
): Promise<void> {
  try {
    const result = await sendRequest(request)
    await reload()
    const toast = done(result, undefined)
    if (toast) addToast(toast)
  } catch (error) {
    toastFailure(errorTitle, error)
    await reload()
  }
}

/** The part of an action that sends one request for a row, and shows the same as a command. */
export const sending = <R, O extends OpShape>(
  request: (row: R) => ApiRequest<O>,
  { done, ...outcome }: Outcome<O, R>,
) => ({
  onAction: (row: R) => sendNow(request(row), { ...outcome, done: (result) => done(result, row) }),
  command: request,
})
