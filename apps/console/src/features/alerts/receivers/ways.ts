/** How receivers get alerts, in words and fields of forms. */
import { emailAddressProblem } from '@purlin/contract/rules/alerts/addresses'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { countOf } from '@purlin/contract/rules/kinds'
import { linesOf } from '#/lib/input/lines.ts'
import type { Receiver } from '../kinds.ts'

export type Way = Receiver['kind']['kind']
export const ways: Record<Way, { label: string; description: string }> = {
  webhook: { label: 'Webhook', description: 'A signed request over HTTP for each alert' },
  email: {
    label: 'E-mail',
    description: 'A message for each alert, through the SMTP server of this control plane',
  },
}

/** Where a receiver gets alerts. */
export const placeOf = ({ kind }: Receiver): string =>
  kind.kind === 'webhook' ? kind.endpoint : kind.to.join(', ')

/** The problem with addresses, one in each line. */
export function addressesProblem(text: string): string | undefined {
  const lines = linesOf(text)
  const { addresses: most } = alertLimits
  if (lines.length > most) return `At most ${countOf(most, 'address')}`
  return lines.map(emailAddressProblem).find((problem) => problem !== undefined)
}
