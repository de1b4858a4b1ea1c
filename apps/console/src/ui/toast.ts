import type { ReactNode } from 'react'

/** What a toast tells of; 'notice' is something that wants attention without being an error. */
export type ToastVariant = 'success' | 'error' | 'info' | 'notice'

/** A message that rises at the foot of the page. */
export interface ToastInput {
  title?: string | undefined
  content?: ReactNode
  variant?: ToastVariant
  /** Milliseconds until it closes itself: 5000, or 15000 for an error; null never closes. */
  timeout?: number | null
  cta?: { href: string; text: string }
  /** Identifies the failed call to whoever runs the cloud; can be copied. */
  requestId?: string | undefined
  onClose?: () => void
}
/** A toast on the stack. */
export interface ToastEntry extends ToastInput {
  id: number
  variant: ToastVariant
  timeout: number | null
}

/** More than this many hide the page rather than inform. */
const MAX = 5

let toasts: readonly ToastEntry[] = []
let lastId = 0
const listeners = new Set<() => void>()
const set = (next: readonly ToastEntry[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a toast and returns its id. The oldest gives way when the stack is full. */
export const addToast = (input: ToastInput): number => {
  const variant = input.variant ?? 'success'
  const timeout = input.timeout === undefined ? (variant === 'error' ? 15_000 : 5000) : input.timeout
  lastId += 1
  set([...toasts, { ...input, id: lastId, variant, timeout }].slice(-MAX))
  return lastId
}

/** Takes a toast away; its onClose is told. */
export const removeToast = (id: number): void => {
  const toast = toasts.find((entry) => entry.id === id)
  if (!toast) return
  set(toasts.filter((entry) => entry !== toast))
  toast.onClose?.()
}

/** Takes every toast away without a word. */
export const clearToasts = (): void => set([])

/** The store for useSyncExternalStore. */
export const toastStore = {
  get: (): readonly ToastEntry[] => toasts,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
