/** One dialog for all actions that ask for confirmation. Failures are shown inside it and leave it open. */
import type { ReactNode } from 'react'

export interface ConfirmConfig {
  /** Runs on Confirm; what it throws is shown under `errorTitle`. The signal says that the person has canceled. */
  doAction: (signal: AbortSignal) => Promise<unknown>
  modalTitle: string
  modalContent: ReactNode
  errorTitle: string
  actionType: 'primary' | 'danger'
  /** The name that must be typed first. */
  typeToConfirm?: string
}

let current: ConfirmConfig | null = null
const listeners = new Set<() => void>()

const set = (next: ConfirmConfig | null) => {
  current = next
  for (const listener of listeners) listener()
}

/** Opens the dialog. */
export const confirmAction = (config: ConfirmConfig): void => set(config)
export const closeConfirm = (): void => set(null)
export const confirmStore = {
  get: (): ConfirmConfig | null => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
