/** The ports that send alerts: to webhooks, and by e-mail. */
import type { AttemptResult } from '@purlin/contract/rules/alerts/classes'

/** Why there was no answer, for people. */
export interface Unanswered {
  result: Extract<AttemptResult, 'failed_unreachable' | 'failed_timeout'>
  reason: string
}

/** The sender stopped before the receiver answered. */
export class SendInterrupted extends Error {
  override name = 'SendInterrupted'
}

interface Sender<Message, Outcome> {
  /** A failure is an outcome. Throws SendInterrupted. */
  send(message: Message): Promise<Outcome>
  /** Interrupts everything that is being sent. */
  stop(): void
}

/** A request of POST with a body of JSON. */
export interface WebhookRequest {
  url: string
  /** Names may repeat. */
  headers: readonly (readonly [name: string, value: string])[]
  body: string
}

/** How a receiver answered. Any status from 200 to 299 means that it has the alert. */
export type WebhookOutcome = { status: number } | Unanswered

/**
 * Sends requests to the addresses that operators name. It follows no redirects, waits at most 10 s for a connection and
 * 30 s in total, ignores the body of the answer, and refuses addresses that are not for receivers once the name is
 * resolved.
 */
export type WebhookSender = Sender<WebhookRequest, WebhookOutcome>

/** A message to all addresses at once. */
export interface MailMessage {
  /** Its Message-ID is made of this, so that a mail program shows a message once that was sent twice. */
  id: string
  to: readonly string[]
  /** One line. */
  subject: string
  text: string
  html: string
  /** ms since 1970 */
  sentAt: number
  headers: Readonly<Record<string, string>>
}

/** The reply code of SMTP, of which 200 to 299 mean that the server has the message; and what else people should know. */
export type MailOutcome = { status: number; reason: string | null } | Unanswered

/** Hands messages to the SMTP server of the settings, within 30 s. */
export type MailSender = Sender<MailMessage, MailOutcome>
