import CircleAlert from 'lucide-react/icons/circle-alert'
import { capitalize } from '#/lib/text.ts'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import { InstanceStateBadge } from '#/resource/list/StateBadge.tsx'
import type { Instance } from './update.ts'

/** Why an instance rests, if it did not mean to: the reason its last start or its machine failed. */
export const restReason = ({ runState, lastError }: Instance): string | undefined =>
  runState === 'stopped' || runState === 'failed' ? capitalize(lastError ?? '') || undefined : undefined

/** The state of an instance in a row: its badge, how long it has been so, and what went wrong. */
export function InstanceState({ instance }: { instance: Instance }) {
  const reason = restReason(instance)
  return (
    <span className="inline-flex items-center gap-2">
      <InstanceStateBadge state={instance.runState} />
      <RelativeTime date={instance.timeRunStateUpdated} caption="Run state updated" />
      {reason && (
        <Tooltip content={<span className="wrap-anywhere">{reason}</span>}>
          <button
            type="button"
            aria-label="What went wrong"
            className="relative inline-grid size-5 place-content-center rounded-sm text-danger"
          >
            <CircleAlert size={14} aria-hidden />
          </button>
        </Tooltip>
      )}
    </span>
  )
}
