/** The outcome of an attempt to deliver an alert, in words. */
import type { alertDeliveryList } from '@purlin/contract/operations/alerts/receivers'
import type { AttemptResult } from '@purlin/contract/rules/alerts/classes'
import type { Item } from '#/api/everyPage.ts'

export type Delivery = Item<typeof alertDeliveryList>
type Attempts = Delivery['attempts']
type Attempt = Attempts['webhook'][number] | NonNullable<Attempts['email']>[number]

/** The attempts of a delivery, by whatever way. */
export const attemptsOf = ({ webhook, email }: Attempts): readonly Attempt[] => email ?? webhook

const words: Record<AttemptResult, string> = {
  succeeded: 'Delivered',
  failed_http_error: 'Refused',
  failed_smtp_error: 'Refused',
  failed_unreachable: 'Not reached',
  failed_timeout: 'No answer in time',
}

/** `Refused: status 500 after 12 ms`. */
export function outcomeOf({ result, response, reason }: Attempt): string {
  const details = [
    ...(response ? [`status ${response.status} after ${response.durationMs} ms`] : []),
    ...(reason ? [reason] : []),
  ]
  return details.length === 0 ? words[result] : `${words[result]}: ${details.join(', ')}`
}
