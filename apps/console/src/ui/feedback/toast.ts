import type { ReactNode } from 'react'
import { serverNow } from '#/lib/clock.ts'
import { createStore } from '#/lib/store.ts'

/** The kind of a toast; 'notice' needs attention without being an error. */
export type ToastVariant = 'success' | 'error' | 'info' | 'notice'

/** A message that appears at the foot of the page. */
export interface ToastInput {
  title?: string | undefined
  content?: ReactNode
  variant?: ToastVariant
  /** Milliseconds until it closes itself: 5000, or 15000 for an error; null never closes. */
  timeout?: number | null
  cta?: { href: string; text: string }
  /** An action that is available here, and its keys. */
  action?: { text: string; onAction: () => void; keys?: string }
  /** The id of the failed call, for the cloud's operator; can be copied. */
  requestId?: string | undefined
  /** The code of its error, which the guide explains. */
  code?: string | undefined
  onClose?: () => void
}
/** A toast on the stack. */
export interface ToastEntry extends ToastInput {
  id: number
  variant: ToastVariant
  timeout: number | null
}

/** More toasts than this would hide the page. */
const MAX = 5

/** Failures that are kept to be read again. */
const maxFailures = 10

/** A failure that a toast or a dialog has reported. */
export interface ShownFailure extends ToastEntry {
  at: Date
}

/** The last failures that were reported on this page, the latest first. */
export const failureStore = createStore<readonly ShownFailure[]>([])
/** The toasts on the stack, the latest last. */
export const toastStore = createStore<readonly ToastEntry[]>([])
let lastId = 0

/** Shows a toast and returns its id. The oldest is removed when the stack is full. */
export const addToast = (input: ToastInput): number => {
  const entry = entryOf(input)
  if (entry.variant === 'error') keep(entry)
  toastStore.set([...toastStore.get(), entry].slice(-MAX))
  return entry.id
}

/** Keeps a failure that a dialog shows, so that it can be read when the dialog is closed. */
export const keepFailure = (input: ToastInput): void => keep(entryOf({ ...input, variant: 'error' }))

function entryOf(input: ToastInput): ToastEntry {
  const variant = input.variant ?? 'success'
  const timeout = input.timeout === undefined ? (variant === 'error' ? 15_000 : 5000) : input.timeout
  lastId += 1
  return { ...input, id: lastId, variant, timeout }
}

const keep = (entry: ToastEntry): void =>
  failureStore.set([{ ...entry, at: new Date(serverNow()) }, ...failureStore.get()].slice(0, maxFailures))

/** Removes a toast and calls its onClose. */
export const removeToast = (id: number): void => {
  const toast = toastStore.get().find((entry) => entry.id === id)
  if (!toast) return
  toastStore.set(toastStore.get().filter((entry) => entry !== toast))
  toast.onClose?.()
}

/** Removes every toast without calling onClose. */
export const clearToasts = (): void => toastStore.set([])
