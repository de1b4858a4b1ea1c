/**
 * The session of the page and its end. Without unsaved changes the user is sent to sign in; otherwise a dialog asks
 * first. The cookie belongs to all tabs: another tab may end the session, renew it, or sign in as another user.
 */
import { isOwnAddress } from '@purlin/contract/rules/credentials/return-address'
import { userHeader } from '@purlin/contract/http'
import { ownNow } from '#/lib/clock.ts'
import { createListeners, createStore } from '#/lib/store.ts'

/** Why the dialog is shown: the session has ended, is that of another user, or began too long ago for a change. */
export type SessionProblem = 'ended' | 'otherUser' | 'tooOld'
const unsaved = new Set<symbol>()
let dialog: ((problem: SessionProblem) => void) | undefined
let leaving = false
let problem: SessionProblem | undefined
let user: string | undefined

/** When a request last used the session, as far as this tab knows. Without a use for long, the server ends it. */
export const sessionUse = { at: ownNow() }
/** When the session ends, ms since 1970, once that is near. */
export const sessionEnds = createStore<number | undefined>(undefined)

/** Notes the user whose page this is. The server refuses its requests in a session of another user. */
export function setPageUser(id: string): void {
  user = id
}

/** The id of the user whose page this is, once it is known. */
export const pageUser = (): string | undefined => user

/** The header that names the user of the page. */
export const pageUserHeader = (): Record<string, string> => (user === undefined ? {} : { [userHeader]: user })

/** The problem with the session, as far as the page knows. */
export const sessionProblem = (): SessionProblem | undefined => problem

/** Marks unsaved changes in a form until the returned function is called. */
export function holdUnsaved(): () => void {
  const token = Symbol('unsaved')
  unsaved.add(token)
  return () => unsaved.delete(token)
}

/** True while a form has changes that are not saved. */
export const hasUnsaved = (): boolean => unsaved.size > 0

/** Registers the dialog that lets the user sign in again without losing a form. */
export function onSessionEnded(listener: (problem: SessionProblem) => void): () => void {
  dialog = listener
  return () => (dialog = undefined)
}

/** Called when the server answers 401. */
export function sessionEnded(): void {
  if (leaving) return
  problem = 'ended'
  if (unsaved.size > 0 && dialog) dialog(problem)
  else leaveForSignIn()
}

/** Notes that the session has ended, which the next request finds out as well. */
export function noteSessionEnd(): void {
  problem ??= 'ended'
}

/** Called when the server refuses a request because another user has signed in: until that is answered nothing is sent. */
export function otherUserSignedIn(): void {
  problem = 'otherUser'
  dialog?.(problem)
}

/** Called when the server refuses a change because the last sign-in is too long ago. */
export const signInTooOld = (): void => dialog?.('tooOld')

const signIns = createListeners()

/** Registers a listener for signing in again without leaving the page, here or in another tab. */
export const onSignedIn = signIns.subscribe
/** Called when the user has signed in again. */
export function signedIn(): void {
  problem = undefined
  signIns.notify()
}

/**
 * Called before the user signs out: requests that are answered 401 from then on do not lead to sign-in with a way back.
 * The returned function ends that, if the user is still signed in.
 */
export function startSigningOut(): () => void {
  leaving = true
  return () => (leaving = false)
}

/** Goes to the sign-in page, which leads back to the current page. */
export function leaveForSignIn(): void {
  if (leaving || window.location.pathname.startsWith('/login')) return
  leaving = true
  const here = window.location.pathname + window.location.search
  window.location.assign(`/login?redirect_uri=${encodeURIComponent(here)}`)
}

/** The path to go to after sign-in; anything but a plain path of this site is replaced. */
export function safeRedirect(target: unknown): string {
  return typeof target === 'string' && isOwnAddress(target) ? target : '/projects'
}
