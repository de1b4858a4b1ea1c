import { ApiError } from '#/api/send.ts'

/** The message of a step that failed. */
export function complaint(error: unknown): string {
  if (!(error instanceof ApiError))
    return 'The browser gave no answer of a passkey. Try again, or use another way.'
  if (error.status === 0) return 'Could not reach the server. Check the connection and try again.'
  if (error.status === 429) return 'Too many attempts. Please wait a little and try again.'
  if (error.status === 401) return 'That is not right, or was used before. Please try again.'
  return sentence(error.message)
}

/** True if the sign-in has to begin again with the password. */
export const isOver = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && error.code === 'InvalidRequest'

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
