/** Receivers of alerts as screens list and show them. Other pages do without, so they are not in the table of kinds. */
import {
  alertReceiverDelete,
  receiverList,
  receiverView,
  webhookReceiverCreate,
} from '@purlin/contract/operations/alerts/receivers'
import Webhook from 'lucide-react/icons/webhook'
import type { Item } from '#/api/everyPage.ts'
import { kind } from '#/resource/kind.ts'

export type Receiver = Item<typeof receiverList>

type Kinds = Receiver['kind']
/** A receiver of one kind. */
export type ReceiverBy<K extends Kinds['kind']> = Omit<Receiver, 'kind'> & {
  kind: Extract<Kinds, { kind: K }>
}
export const isBy = <K extends Kinds['kind']>(kind: K, one: Receiver): one is ReceiverBy<K> =>
  one.kind.kind === kind

export const receiver = kind({
  name: 'alertReceiver',
  title: 'Receivers',
  icon: Webhook,
  list: receiverList,
  view: receiverView,
  // Its form has both kinds, which take the same role.
  create: webhookReceiverCreate,
  remove: alertReceiverDelete,
  related: [receiverView],
})
