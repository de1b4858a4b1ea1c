import { taskItemList } from '@purlin/contract/operations/tasks/tasks'
import { useQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useId, useState } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { query } from '#/api/query.ts'
import { capitalize, cx } from '#/lib/text.ts'

const listed = 100

interface ItemsOfProps {
  task: string
  count: number
  label: string
  of: { result: 'failed' | 'skipped'; reason?: string }
}

/** A group of a task's items, whose names are read on demand. */
export function ItemsOf({ task, count, label, of }: ItemsOfProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex items-start gap-1 text-left text-inherit"
      >
        <ChevronRight size={14} aria-hidden className={cx('mt-0.5 shrink-0', isOpen && 'rotate-90')} />
        <span className="wrap-anywhere underline-offset-2 hover:underline">{label}</span>
      </button>
      {isOpen && <Names id={id} task={task} count={count} of={of} />}
    </div>
  )
}

/** 'Delete disk' for `disk_delete`. */
function actOf(operation: string): string {
  const words = operation.split('_')
  return capitalize([words.at(-1), ...words.slice(0, -1)].join(' '))
}

function Names({ id, task, count, of }: Omit<ItemsOfProps, 'label'> & { id: string }) {
  const { data, error } = useQuery({
    ...query(taskItemList, { params: { task }, query: { ...of, limit: listed } }),
    throwOnError: false,
    staleTime: 0,
  })
  const items = data?.items ?? []
  return (
    <ul id={id} className="max-h-40 list-disc overflow-y-auto pl-9 text-secondary">
      {error && <li>{errorMessage(error)}</li>}
      {items.map((item) => (
        <li key={`${item.id} ${item.operation ?? ''}`} className="wrap-anywhere">
          {item.operation ? `${actOf(item.operation)} ${item.name}` : item.name}
          {of.reason === undefined && item.message && `: ${item.message}`}
        </li>
      ))}
      {data && count > items.length && <li>and {(count - items.length).toLocaleString()} more</li>}
    </ul>
  )
}
