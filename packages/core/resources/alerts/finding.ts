/** The form of the conditions that need the attention of operators. */
import type { AttentionKind } from '@purlin/contract/rules/alerts/classes'
import type { Severity } from '@purlin/contract/rules/alerts/attention'

/** A condition that holds now. `since` is known for some; others began when they were found. */
export interface Finding {
  kind: AttentionKind
  severity: Severity
  subject: { type: string; id: string; name: string; within?: string | null }
  since?: number
  text: string
  advice: string
}

/** The most conditions of one kind that are looked for. */
export const mostOfEach = 500
