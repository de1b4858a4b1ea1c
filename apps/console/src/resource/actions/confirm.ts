/** One dialog for all actions that ask for confirmation. Failures are shown inside it and leave it open. */
import type { ReactNode } from 'react'
import type { ApiRequest, Requests } from '#/api/request.ts'
import { createStore } from '#/lib/store.ts'

export type ConfirmConfig = Question & (Sent | Shown)

interface Sent {
  /** Sent on confirmation, and shown as a command. */
  request: ApiRequest
  command?: never
}

interface Shown {
  request?: never
  /** The requests that `doAction` sends, or what reads for them, to be shown as commands; null if it sends none. */
  command: Requests | (() => Promise<Requests>) | null
}

interface Question {
  /**
   * Runs on confirmation, once the request was answered; what either throws is shown under `errorTitle`. The signal says
   * that the person has canceled.
   */
  doAction: (signal: AbortSignal) => Promise<unknown>
  modalTitle: string
  /** The act, on the button: the title unless given. */
  confirmLabel?: string
  modalContent: ReactNode
  errorTitle: string
  actionType: 'primary' | 'danger'
  /** Why it cannot be done. */
  disabledReason?: string
  /** The name that must be typed first. */
  typeToConfirm?: string
}

/** The question that the dialog asks, or null while it is closed. */
export const confirmStore = createStore<ConfirmConfig | null>(null)

/** Opens the dialog. */
export const confirmAction = (config: ConfirmConfig): void => confirmStore.set(config)
export const closeConfirm = (): void => confirmStore.set(null)
