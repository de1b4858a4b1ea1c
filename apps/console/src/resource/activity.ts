/** The panel with what runs and what ran: whether it is open, and what would be lost with the page. */
import type { ComponentType } from 'react'

interface PanelFile {
  ActivityPanel: ComponentType<{ onDismiss: () => void }>
}
let loadPanel: (() => Promise<PanelFile>) | undefined

/** Says where the panel is: its parts belong to features, which the frame does not know. */
export const setActivityPanel = (load: () => Promise<PanelFile>): void => void (loadPanel = load)

export const activityPanel = (): Promise<PanelFile> =>
  loadPanel?.() ?? Promise.reject(new Error('the console has no panel of activity'))

function createStore<T>(value: T) {
  let current = value
  const listeners = new Set<() => void>()
  return {
    get: (): T => current,
    set(next: T): void {
      current = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Whether the panel is open. */
export const activityStore = createStore(false)
export const openActivity = (): void => activityStore.set(true)
export const closeActivity = (): void => activityStore.set(false)

/** How many uploads would end with the page. */
export const heldPage = createStore(0)

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
