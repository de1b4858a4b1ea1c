/** The end of a session. Without unsaved changes the user is sent to sign in; otherwise a dialog asks first. */

type Listener = () => void
const unsaved = new Set<symbol>()
let dialog: Listener | undefined
let leaving = false

/** Marks unsaved changes in a form until the returned function is called. */
export function holdUnsaved(): () => void {
  const token = Symbol('unsaved')
  unsaved.add(token)
  return () => unsaved.delete(token)
}

/** Registers the dialog that lets the user sign in again without losing a form. */
export function onSessionEnded(listener: Listener): () => void {
  dialog = listener
  return () => (dialog = undefined)
}

/** Called when the server answers 401. */
export function sessionEnded(): void {
  if (unsaved.size > 0 && dialog) dialog()
  else leaveForSignIn()
}

const waiting = new Set<Listener>()

/** Registers a listener for signing in again without leaving the page. */
export function onSignedIn(listener: Listener): () => void {
  waiting.add(listener)
  return () => waiting.delete(listener)
}
/** Called when the user has signed in again. */
export function signedIn(): void {
  for (const listener of waiting) listener()
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
  const fallback = '/projects'
  if (typeof target !== 'string' || !target.startsWith('/') || /^\/[/\\]/.test(target)) return fallback
  return target
}
