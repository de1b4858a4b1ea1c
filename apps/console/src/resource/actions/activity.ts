/** The panel with what runs and what ran: whether it is open, and what would be lost with the page. */
import type { ComponentType } from 'react'
import { createStore } from '#/lib/store.ts'

interface PanelFile {
  ActivityPanel: ComponentType<{ onDismiss: () => void }>
}
type Load = () => Promise<{ load: () => Promise<PanelFile> }>
let find: Load = () => Promise.reject(new Error('there is no panel of activity'))

/** Says where the panel is: its parts belong to features, which the frame does not know. */
export const setActivityPanel = (load: Load): void => void (find = load)

export const activityPanel = (): Promise<PanelFile> => find().then(({ load }) => load())

/** Whether the panel is open. */
export const activityStore = createStore(false)
export const openActivity = (): void => activityStore.set(true)
export const closeActivity = (): void => activityStore.set(false)

/** A link of toasts. */
export const toActivity = { text: 'Show activity', onAction: openActivity }

/** The tasks that this page has begun and that have not ended: their items, and how many of these are done. */
export const openTasks = createStore<ReadonlyMap<string, { done: number; total: number }>>(new Map())

/** The number of uploads that would end with the page. */
export const heldPage = createStore(0)
