/** Actions on alerts. */
import {
  alertAcknowledge,
  alertList,
  alertSilence,
  alertView,
} from '@purlin/contract/operations/alerts/alerts'
import type { Item } from '#/api/everyPage.ts'
import { errorMessage } from '#/api/errors.ts'
import { invalidate } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { serverNow } from '#/lib/clock.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { roleFor } from '#/resource/kind.ts'
import { addToast } from '#/ui/feedback/toast.ts'

export type Alert = Item<typeof alertList>

const hourMs = 3_600_000
const silences = [
  { id: 'hour', label: 'Silence for an hour', ms: hourMs },
  { id: 'day', label: 'Silence for a day', ms: 24 * hourMs },
  { id: 'week', label: 'Silence for a week', ms: 7 * 24 * hourMs },
]

const changed = () => invalidate(alertList, alertView)

async function silence({ id }: Alert, until: Date | null): Promise<void> {
  await send(alertSilence, { params: { alertId: id }, body: { until } })
  await changed()
  addToast({ content: until ? 'Alert silenced' : 'Alert is no longer silenced' })
}

/** Does something with an alert, and says so if it fails. */
const attempt = (title: string, act: (row: Alert) => Promise<unknown>) => (row: Alert) =>
  act(row).catch((error: unknown) => addToast({ variant: 'error', title, content: errorMessage(error) }))

export const alertActions: readonly Action<Alert>[] = [
  copyId('alert'),
  {
    id: 'acknowledge',
    label: 'Acknowledge',
    role: roleFor(alertAcknowledge),
    isOffered: ({ timeAcknowledged, timeEnded }) => !timeAcknowledged && !timeEnded,
    onAction: attempt('Could not acknowledge', async ({ id }) => {
      await send(alertAcknowledge, { params: { alertId: id } })
      await changed()
      addToast({ content: 'Alert acknowledged' })
    }),
  },
  ...silences.map(({ id, label, ms }): Action<Alert> => ({
    id,
    label,
    role: roleFor(alertSilence),
    isOffered: ({ silencedUntil }) => !silencedUntil,
    onAction: attempt('Could not silence', (row) => silence(row, new Date(serverNow() + ms))),
  })),
  {
    id: 'speak',
    label: 'End silence',
    role: roleFor(alertSilence),
    isOffered: ({ silencedUntil }) => Boolean(silencedUntil),
    onAction: attempt('Could not end the silence', (row) => silence(row, null)),
  },
]
