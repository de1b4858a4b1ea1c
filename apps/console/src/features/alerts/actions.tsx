/** Actions on alerts. */
import {
  alertAcknowledge,
  alertList,
  alertSilence,
  alertView,
} from '@purlin/contract/operations/alerts/alerts'
import type { Item } from '#/api/everyPage.ts'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { serverNow } from '#/lib/clock.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { sending } from '#/resource/actions/sendNow.ts'
import { roleFor } from '#/resource/kind.ts'

export type Alert = Item<typeof alertList>

const hourMs = 3_600_000
const silences = [
  { id: 'hour', label: 'Silence for an hour', ms: hourMs },
  { id: 'day', label: 'Silence for a day', ms: 24 * hourMs },
  { id: 'week', label: 'Silence for a week', ms: 7 * 24 * hourMs },
]

const reload = () => invalidate(alertList, alertView)

const silence = ({ id }: Alert, until: Date | null) =>
  requestTo(alertSilence, { params: { alertId: id }, body: { until } })

export const alertActions: readonly Action<Alert>[] = [
  copyId('alert'),
  {
    id: 'acknowledge',
    label: 'Acknowledge',
    role: roleFor(alertAcknowledge),
    isOffered: ({ timeAcknowledged, timeEnded }) => !timeAcknowledged && !timeEnded,
    ...sending(({ id }: Alert) => requestTo(alertAcknowledge, { params: { alertId: id } }), {
      done: () => ({ content: 'Alert acknowledged' }),
      errorTitle: 'Could not acknowledge',
      reload,
    }),
  },
  ...silences.map(({ id, label, ms }): Action<Alert> => ({
    id,
    label,
    role: roleFor(alertSilence),
    isOffered: ({ silencedUntil }) => !silencedUntil,
    ...sending((row: Alert) => silence(row, new Date(serverNow() + ms)), {
      done: () => ({ content: 'Alert silenced' }),
      errorTitle: 'Could not silence',
      reload,
    }),
  })),
  {
    id: 'speak',
    label: 'End silence',
    role: roleFor(alertSilence),
    isOffered: ({ silencedUntil }) => Boolean(silencedUntil),
    ...sending((row: Alert) => silence(row, null), {
      done: () => ({ content: 'Alert is no longer silenced' }),
      errorTitle: 'Could not end the silence',
      reload,
    }),
  },
]
