/** Classes of alerts, and the globs with which receivers subscribe to them. */
import { keysOf } from '../keys.ts'

/** The class of the alert that a probe sends: it is not subscribed to. */
export const probeClass = 'probe'

interface AlertClass {
  description: string
  /** The condition whose begin makes such an alert. */
  kind: string
}

/** The classes by name, in the order of their names. Each is a kind of condition that the control plane looks for. */
const classes = {
  'address.pool.filling': {
    kind: 'pool_filling',
    description: 'More than 80 or 95 percent of the addresses of an IP pool are in use.',
  },
  'disk.snapshots.failing': {
    kind: 'snapshots_failing',
    description: 'The snapshot schedule of a disk fails.',
  },
  'hardware.disk.failing': { kind: 'disk_failing', description: 'A physical disk is failing or has failed.' },
  'hardware.disk.missing': { kind: 'disk_missing', description: 'A physical disk is missing.' },
  'hardware.link.down': { kind: 'link_down', description: 'The link of a switch port is down.' },
  'hardware.sled.missing': { kind: 'sled_missing', description: 'A sled does not answer.' },
  'hardware.switch.missing': { kind: 'switch_missing', description: 'A switch does not answer.' },
  'hardware.switch.settings_failing': {
    kind: 'push_failing',
    description: 'A switch does not take its settings.',
  },
  'instance.failed': { kind: 'instance_failed', description: 'An instance has failed.' },
  'schedule.failing': {
    kind: 'schedule_failing',
    description: 'The schedule of a project fails.',
  },
  'silo.certificate.expiring': {
    kind: 'certificate_expiring',
    description: 'A TLS certificate of a silo expires soon or has expired.',
  },
  'silo.quota.filling': {
    kind: 'quota_filling',
    description: 'A silo uses more than 80 or 95 percent of a quota.',
  },
  'silo.sign_in.failing': {
    kind: 'sign_ins_failing',
    description: 'Many attempts to sign in to a silo have failed.',
  },
  'system.backup.failed': {
    kind: 'backup_failed',
    description: 'A scheduled backup has failed or is overdue.',
  },
  'system.update.stalled': { kind: 'update_stalled', description: 'A system update does not continue.' },
} as const satisfies Record<string, AlertClass>

export type AlertClassName = keyof typeof classes
export type AttentionKind = (typeof classes)[AlertClassName]['kind']

const names = keysOf(classes)
export const attentionKinds = names.map((name) => classes[name].kind)

/** The class of the alerts about a kind of condition. */
export function classOf(kind: AttentionKind): AlertClassName {
  const name = names.find((one) => classes[one].kind === kind)
  if (!name) throw new Error(`no class of alerts for ${kind}`)
  return name
}

/** All classes, by name. */
export const alertClasses: readonly { name: string; description: string }[] = [
  ...names.map((name) => ({ name, description: classes[name].description })),
  { name: probeClass, description: 'A test of a receiver, which an operator has started.' },
].toSorted((a, b) => (a.name < b.name ? -1 : 1))

const isClass = (name: string) => alertClasses.some((one) => one.name === name)

/** An exact class or a glob: `*` is one segment, `**` is one or more. */
export const subscriptionPattern = '^([a-zA-Z0-9_]+|\\*|\\*\\*)(\\.([a-zA-Z0-9_]+|\\*|\\*\\*))*$'
const subscriptionFormat = new RegExp(subscriptionPattern)

/** True if a class is subscribed to by a subscription. Takes time in proportion to the product of their lengths. */
export function matchesClass(subscription: string, name: string): boolean {
  const segments = name.split('.')
  // Whether the part of the subscription so far matches the first `i` segments.
  let matched = [true, ...segments.map(() => false)]
  for (const part of subscription.split('.')) {
    const before = matched
    matched = before.map(() => false)
    segments.forEach((segment, i) => {
      const continues = before[i] === true || (part === '**' && matched[i] === true)
      matched[i + 1] = continues && (part.startsWith('*') || part === segment)
    })
  }
  return matched.at(-1) === true
}

/** The reason why a text is no subscription; undefined for a valid one. */
export function subscriptionProblem(subscription: string): string | undefined {
  if (!subscriptionFormat.test(subscription))
    return 'expected a class of alerts such as hardware.disk.failing, or a glob such as hardware.** or *.disk.*'
  if (subscription === probeClass) return 'webhook receivers cannot subscribe to probes'
  if (subscription.includes('*') || isClass(subscription)) return undefined
  const known = alertClasses.map(({ name }) => name).filter((name) => name !== probeClass)
  return `unknown class of alerts "${subscription}", expected one of ${known.join(', ')}, or a glob`
}

/** The reason why a text is no address of a receiver: `https://` or `http://`, a host, and no user name or password. */
export function endpointProblem(endpoint: string): string | undefined {
  const [, authority] = /^https?:\/\/([^/?#\\\s]+)(?:[/?#][!-~]*)?$/i.exec(endpoint) ?? []
  if (authority === undefined) return 'expected a URL such as https://alerts.example.org/hook'
  if (authority.includes('@')) return 'a URL must not contain a user name or password'
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(authority) ?? []
  if (host === undefined) return 'the host of the URL is not a host name or an IP address'
  return port !== undefined && (Number(port) === 0 || Number(port) > 65_535)
    ? 'the port of the URL is not between 1 and 65535'
    : undefined
}

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]
export const deliveryTriggers = ['alert', 'resend', 'probe'] as const
export type DeliveryTrigger = (typeof deliveryTriggers)[number]
export const attemptResults = [
  'succeeded',
  'failed_http_error',
  'failed_unreachable',
  'failed_timeout',
] as const
/** The same of attempts by e-mail. */
export const emailAttemptResults = [
  'succeeded',
  'failed_smtp_error',
  'failed_unreachable',
  'failed_timeout',
] as const
export type WebhookAttemptResult = (typeof attemptResults)[number]
export type EmailAttemptResult = (typeof emailAttemptResults)[number]
export type AttemptResult = WebhookAttemptResult | EmailAttemptResult
/** Milliseconds after which a delivery that has failed is attempted again; after the last attempt it has failed. */
export const retryAfterMs = [60_000, 300_000] as const
