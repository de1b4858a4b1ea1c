/** Receivers of alerts as screens list and show them. Other pages do without, so they are not in the table of kinds. */
import {
  alertReceiverDelete,
  alertReceiverList,
  alertReceiverView,
  webhookReceiverCreate,
} from '@purlin/contract/operations/alerts/receivers'
import Webhook from 'lucide-react/icons/webhook'
import type { Item } from '#/api/everyPage.ts'
import { kind } from '#/resource/kind.ts'

export type Receiver = Item<typeof alertReceiverList>

export const receiver = kind({
  name: 'alertReceiver',
  title: 'Receivers',
  icon: Webhook,
  list: alertReceiverList,
  view: alertReceiverView,
  create: webhookReceiverCreate,
  remove: alertReceiverDelete,
  related: [alertReceiverView],
})
