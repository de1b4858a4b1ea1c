/** The end of a session. Without unsaved work the person goes to sign in; with it, a dialog asks first. */

type Listener = () => void
const unsaved = new Set<symbol>()
let dialog: Listener | undefined
let leaving = false

/** Tells that a form holds unsaved work, until the returned function is called. */
export function holdUnsaved(): () => void {
  const token = Symbol('unsaved')
  unsaved.add(token)
  return () => unsaved.delete(token)
}

/** The dialog that lets a person sign in again without losing a form. */
export function onSessionEnded(listener: Listener): () => void {
  dialog = listener
  return () => (dialog = undefined)
}

/** Called when the server says that nobody is signed in. */
export function sessionEnded(): void {
  if (unsaved.size > 0 && dialog) dialog()
  else leaveForSignIn()
}

const waiting = new Set<Listener>()

/** Tells when the person has signed in again without leaving the page. */
export function onSignedIn(listener: Listener): () => void {
  waiting.add(listener)
  return () => waiting.delete(listener)
}
/** Called when they have. */
export function signedIn(): void {
  for (const listener of waiting) listener()
}

/** To the sign-in page, and back to where the person is now. */
export function leaveForSignIn(): void {
  if (leaving || window.location.pathname.startsWith('/login')) return
  leaving = true
  const here = window.location.pathname + window.location.search
  window.location.assign(`/login?redirect_uri=${encodeURIComponent(here)}`)
}

/** A path to go to after sign-in; anything but a plain path of this site is dropped. */
export function safeRedirect(target: unknown): string {
  const fallback = '/projects'
  if (typeof target !== 'string' || !target.startsWith('/') || /^\/[/\\]/.test(target)) return fallback
  return target
}
