/** The messages that deliver alerts by e-mail. */
import type { World } from '#/context.ts'
import type { AlertTable } from '#/db/tables.ts'
import type { MailMessage, MailOutcome } from '#/ports.ts'
import type { Sent, TargetOf } from './targets.ts'
import { mailProblem } from './targets.ts'

/** Sends a delivery once. Throws SendInterrupted. */
export async function sendEmail(
  world: Pick<World, 'mail'>,
  target: TargetOf<'email'>,
  sent: Sent,
): Promise<MailOutcome> {
  const { mail } = world
  if (!mail) return { result: 'failed_unreachable', reason: mailProblem(world) ?? '' }
  return mail.sender.send(messageOf(target, sent, mail.alertsUrl))
}

/** The message of a delivery; with a link to the alerts if their address is known. */
export function messageOf(
  { id: receiverId, name, to }: TargetOf<'email'>,
  { id, alertId, alertClass, sentAt, alert }: Sent,
  alertsUrl?: string,
): MailMessage {
  const content = { ...(alert ? ofAlert(alert) : ofProbe(name)), alertsUrl }
  return {
    id,
    to,
    subject: `[Purlin] ${content.subject}`,
    text: textOf(content),
    html: htmlOf(content),
    sentAt,
    headers: {
      'x-purlin-receiver-id': receiverId,
      'x-purlin-delivery-id': id,
      'x-purlin-alert-id': alertId,
      'x-purlin-alert-class': alertClass,
    },
  }
}

interface Content {
  subject: string
  paragraphs: readonly string[]
  facts: readonly (readonly [label: string, value: string])[]
  alertsUrl: string | undefined
}

const ofAlert = (alert: AlertTable): Omit<Content, 'alertsUrl'> => ({
  subject: `${alert.severity}: ${alert.class}: ${shortened(oneLine(alert.text))}`,
  paragraphs: [alert.text, alert.advice].map(oneLine).filter((text) => text !== ''),
  facts: [
    ['Severity', alert.severity],
    ['Class', alert.class],
    ['Resource', [alert.subjectType, alert.subjectName].map(oneLine).join(' ')],
    ['Began', new Date(alert.timeStarted).toISOString()],
    ['Alert', alert.id],
  ],
})

const ofProbe = (receiver: string): Omit<Content, 'alertsUrl'> => ({
  subject: `test of the alert receiver ${receiver}`,
  paragraphs: ['This message tests an alert receiver. There is nothing to do.'],
  facts: [['Receiver', receiver]],
})

/** Names of hardware may contain any character: line breaks would end a header, other control characters hide text. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

/** Characters of the title in a subject, which mail programs show in a list. */
const titleMost = 120
const beginning = new RegExp(`^.{0,${titleMost}}`, 'u')
const shortened = (text: string) => {
  const [begin = ''] = beginning.exec(text) ?? []
  return begin === text ? text : `${begin}…`
}

function textOf({ paragraphs, facts, alertsUrl }: Content): string {
  const table = facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  const link = alertsUrl === undefined ? [] : [`All alerts: ${alertsUrl}`]
  return `${[...paragraphs, table, ...link].join('\n\n')}\n`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

function htmlOf({ paragraphs, facts, alertsUrl }: Content): string {
  const link = alertsUrl === undefined ? [] : [`<p><a href="${escaped(alertsUrl)}">All alerts</a></p>`]
  const rows = facts.map(
    ([label, value]) => `<tr><th align="left">${escaped(label)}</th><td>${escaped(value)}</td></tr>`,
  )
  return [
    '<!doctype html><html><body>',
    ...paragraphs.map((text) => `<p>${escaped(text)}</p>`),
    `<table cellpadding="4">${rows.join('')}</table>`,
    ...link,
    '</body></html>',
  ].join('\n')
}
