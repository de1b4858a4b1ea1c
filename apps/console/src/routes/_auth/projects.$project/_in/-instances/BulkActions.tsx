import { instanceCan } from '@purlin/contract/rules/instance'
import { atOnce, countOf, NameList, tellFailures } from '../../../../../parts/bulk.tsx'
import { confirmAction } from '../../../../../parts/confirm.ts'
import {
  afterDelete,
  deleteNote,
  moves,
  sendDelete,
  sendMove,
} from '../../../../../parts/instance/instanceActions.tsx'
import { settleAll } from '../../../../../parts/instance/settleAll.ts'
import type { Instance } from '../../../../../parts/instance/update.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { addToast } from '../../../../../ui/toast.ts'

interface Bulk {
  action: 'start' | 'stop' | 'delete'
  label: string
  /** 'Starting 3 instances' */
  doing: string
  done: string
  more?: string | undefined
  danger: boolean
  send: (project: string, name: string) => Promise<void>
}
const bulks: readonly Bulk[] = [
  ...(['start', 'stop'] as const).map((action): Bulk => ({
    action,
    label: moves[action].label,
    doing: moves[action].doing,
    done: action === 'start' ? 'started' : 'stopped',
    more: moves[action].more,
    danger: moves[action].kind === 'danger',
    send: (project, name) => sendMove(action, project, name),
  })),
  {
    action: 'delete',
    label: 'Delete',
    doing: 'Deleting',
    done: 'deleted',
    more: deleteNote,
    danger: true,
    send: sendDelete,
  },
]

const count = (n: number) => countOf(n, 'instance')

export interface BulkActionsProps {
  project: string
  /** Why the person may change nothing here. */
  refused: string | undefined
  /** The selected rows. */
  instances: readonly Instance[]
  onClear: () => void
  onDone: () => unknown
}

/** What can be done with all selected rows at once. Rows whose state forbids it are left alone. */
export function BulkActions({ project, refused, instances, onClear, onDone }: BulkActionsProps) {
  if (instances.length === 0) return null
  const ask = (bulk: Bulk) => {
    const able = instances.filter(({ runState }) => instanceCan(bulk.action, runState))
    confirmAction({
      modalTitle: `${bulk.label} ${count(able.length)}`,
      modalContent: <Question bulk={bulk} able={able} left={instances.length - able.length} />,
      errorTitle: `Could not ${bulk.action} the instances`,
      actionType: bulk.danger ? 'danger' : 'primary',
      doAction: async () => {
        const failures = await settleAll(able, atOnce, ({ name }) => bulk.send(project, name))
        await (bulk.action === 'delete' ? afterDelete() : onDone())
        tell(bulk, able.length, failures)
        if (failures.length === 0) onClear()
      },
    })
  }
  return (
    <>
      <span role="status" className="text-secondary">
        {instances.length} selected
      </span>
      {bulks.map((bulk) => (
        <Button
          key={bulk.action}
          size="small"
          variant={bulk.action === 'delete' ? 'danger' : 'secondary'}
          disabledReason={
            refused ??
            (instances.some(({ runState }) => instanceCan(bulk.action, runState))
              ? undefined
              : `None of the selected instances can be ${bulk.done} in its present state`)
          }
          onClick={() => ask(bulk)}
        >
          {bulk.label}
        </Button>
      ))}
      <Button size="small" variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
    </>
  )
}

function Question({ bulk, able, left }: { bulk: Bulk; able: readonly Instance[]; left: number }) {
  return (
    <>
      <p>Are you sure you want to {bulk.action} these?</p>
      <NameList rows={able} />
      {left > 0 && (
        <p>
          {count(left)} of the selection {left === 1 ? 'is' : 'are'} in another state and{' '}
          {left === 1 ? 'stays' : 'stay'} as {left === 1 ? 'it is' : 'they are'}.
        </p>
      )}
      {bulk.more && <p>{bulk.more}</p>}
    </>
  )
}

function tell(bulk: Bulk, tried: number, failures: { item: Instance; error: unknown }[]): void {
  if (tried > failures.length) addToast({ content: `${bulk.doing} ${count(tried - failures.length)}` })
  tellFailures('instance', bulk.done, failures)
}
