/** The port that sends alerts to webhooks. */
import type { AttemptResult } from '@purlin/contract/rules/alerts/classes'

/** A request of POST with a body of JSON. */
export interface WebhookRequest {
  url: string
  /** Names may repeat. */
  headers: readonly (readonly [name: string, value: string])[]
  body: string
}

/** How a receiver answered. Any status from 200 to 299 means that it has the alert. */
export type WebhookOutcome =
  | { status: number }
  | { result: Exclude<AttemptResult, 'succeeded' | 'failed_http_error'>; reason: string }

/** The sender stopped before the receiver answered. */
export class WebhookInterrupted extends Error {
  override name = 'WebhookInterrupted'
}

/**
 * Sends requests to the addresses that operators name. It follows no redirects, waits at most 10 s for a connection and
 * 30 s in total, ignores the body of the answer, and refuses addresses that are not for receivers once the name is
 * resolved.
 */
export interface WebhookSender {
  /** A failure is an outcome, with a reason for people. Throws WebhookInterrupted. */
  send(request: WebhookRequest): Promise<WebhookOutcome>
  /** Interrupts everything that is being sent. */
  stop(): void
}
