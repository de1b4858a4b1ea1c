/** Actions on a range of a pool. */
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { rangesChanged, type PoolRange, type RangedPool } from './poolRanges.ts'

export const rangeActions = (pool: RangedPool): readonly Action<PoolRange>[] => [
  copyId('IP range'),
  {
    id: 'remove',
    label: 'Remove',
    role: 'admin',
    isDanger: true,
    command: null,
    onAction: (row) => askToRemove(pool, row),
  },
]

function askToRemove({ remove, lossOfRange }: RangedPool, { range }: PoolRange): void {
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
        <p>{lossOfRange}</p>
      </>
    ),
    errorTitle: 'Could not remove range',
    actionType: 'danger',
    request: remove(range),
    doAction: async () => {
      await rangesChanged()
      addToast({ content: 'IP range removed' })
    },
  })
}
