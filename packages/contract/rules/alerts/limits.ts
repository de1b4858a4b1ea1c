/** Limits of alerts. They are separate because pages without alerts do not load them. */
export const alertLimits = {
  /** Of receivers in the rack, and of the parts of each. */
  receivers: 100,
  secrets: 16,
  subscriptions: 64,
  addresses: 20,
  /** Characters of a secret and of a subscription. */
  secret: 512,
  subscription: 256,
  /** Alerts that have ended are kept for these days, the newest ones only. */
  kept: 10_000,
  days: 90,
  /** Deliveries that are resent to a receiver at once, and probes that a server sends at once. */
  resends: 1000,
  probes: 8,
} as const
