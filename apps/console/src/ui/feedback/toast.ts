import type { ReactNode } from 'react'

/** What a toast reports; 'notice' needs attention without being an error. */
export type ToastVariant = 'success' | 'error' | 'info' | 'notice'

/** A message that appears at the foot of the page. */
export interface ToastInput {
  title?: string | undefined
  content?: ReactNode
  variant?: ToastVariant
  /** Milliseconds until it closes itself: 5000, or 15000 for an error; null never closes. */
  timeout?: number | null
  cta?: { href: string; text: string }
  /** What can be done about it here, and the keys that do it. */
  action?: { text: string; onAction: () => void; keys?: string }
  /** The id of the failed call, for the cloud's operator; can be copied. */
  requestId?: string | undefined
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

/** A failure that was told. */
export interface ShownFailure extends ToastEntry {
  at: Date
}
let failures: readonly ShownFailure[] = []

let toasts: readonly ToastEntry[] = []
let lastId = 0
const listeners = new Set<() => void>()
const set = (next: readonly ToastEntry[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a toast and returns its id. The oldest is removed when the stack is full. */
export const addToast = (input: ToastInput): number => {
  const variant = input.variant ?? 'success'
  const timeout = input.timeout === undefined ? (variant === 'error' ? 15_000 : 5000) : input.timeout
  lastId += 1
  const entry = { ...input, id: lastId, variant, timeout }
  if (variant === 'error') failures = [{ ...entry, at: new Date() }, ...failures].slice(0, maxFailures)
  set([...toasts, entry].slice(-MAX))
  return lastId
}

/** Removes a toast and calls its onClose. */
export const removeToast = (id: number): void => {
  const toast = toasts.find((entry) => entry.id === id)
  if (!toast) return
  set(toasts.filter((entry) => entry !== toast))
  toast.onClose?.()
}

/** Removes every toast without calling onClose. */
export const clearToasts = (): void => set([])

/** The last failures that were told on this page, the latest first. */
export const shownFailures = (): readonly ShownFailure[] => failures

/** The store for useSyncExternalStore. */
export const toastStore = {
  get: (): readonly ToastEntry[] => toasts,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
