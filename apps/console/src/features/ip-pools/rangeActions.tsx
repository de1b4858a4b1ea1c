/** What can be done with a range of a pool. */
import {
  ipPoolRangeList,
  ipPoolRangeRemove,
  ipPoolUtilizationView,
} from '@purlin/contract/operations/system-ip-pools'
import { invalidate } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { copyId, type Action } from '#/resource/actions.tsx'
import { confirmAction } from '#/resource/confirm.ts'
import { Highlight } from '#/ui/Highlight.tsx'
import { addToast } from '#/ui/toast.ts'
import type { PoolRange } from './operatorQueries.ts'

/** Reloads what shows the ranges of pools. */
export const rangesChanged = () => invalidate(ipPoolRangeList, ipPoolUtilizationView)

export const rangeActions = (pool: string): readonly Action<PoolRange>[] => [
  copyId('IP range'),
  {
    id: 'remove',
    label: 'Remove',
    role: 'admin',
    isDanger: true,
    onAction: (row) => askToRemove(pool, row),
  },
]

function askToRemove(pool: string, { range }: PoolRange): void {
  confirmAction({
    modalTitle: 'Remove range',
    modalContent: (
      <>
        <p>
          Remove the range{' '}
          <Highlight>
            {range.first}–{range.last}
          </Highlight>
          ?
        </p>
        <p>This fails while addresses of the range are in use.</p>
      </>
    ),
    errorTitle: 'Could not remove range',
    actionType: 'danger',
    doAction: async () => {
      await send(ipPoolRangeRemove, { params: { pool }, body: range })
      await rangesChanged()
      addToast({ content: 'IP range removed' })
    },
  })
}
