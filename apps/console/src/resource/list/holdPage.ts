/** Uploads would end with the page: the browser asks before it is closed. */
import { heldPage } from '../actions/activity.ts'

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/** Has the browser ask before the page is closed, until the returned function is called. */
export function holdPage(): () => void {
  if (heldPage.get() === 0) window.addEventListener('beforeunload', ask)
  heldPage.set(heldPage.get() + 1)
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    heldPage.set(heldPage.get() - 1)
    if (heldPage.get() === 0) releasePage()
  }
}

/** The person has said that the page may be left. */
export const releasePage = (): void => window.removeEventListener('beforeunload', ask)
