import Check from 'lucide-react/icons/check'
import { useState, type ComponentProps, type ReactNode } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { roleScope } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { Table, type TableProps } from '#/ui/table/Table.tsx'

/** The permission to link pools and silos. */
export const linkScope = roleScope(kinds.ipPool, {})

/** The links of a pool or of a silo, with the button that adds one. */
export function LinkList<Row>({
  addLabel,
  empty,
  dialog,
  ...table
}: Pick<TableProps<Row>, 'label' | 'columns' | 'rows' | 'rowKey' | 'actions'> & {
  addLabel: string
  empty: Pick<ComponentProps<typeof EmptyState>, 'icon' | 'title' | 'body'>
  dialog: (onDismiss: () => void) => ReactNode
}) {
  const [isLinking, setLinking] = useState(false)
  const { lacks } = useRole(...linkScope)
  const button = (
    <Button variant="primary" disabledReason={lacks('admin')} onClick={() => setLinking(true)}>
      {addLabel}
    </Button>
  )
  return (
    <>
      {table.rows.length === 0 ? (
        <EmptyState {...empty} action={button} />
      ) : (
        <>
          <div className="mb-3 flex justify-end">{button}</div>
          <Table {...table} />
        </>
      )}
      {isLinking && dialog(() => setLinking(false))}
    </>
  )
}

/** The cell of a link: whether the pool is the silo's default one. */
export const defaultCell = ({ isDefault }: { isDefault: boolean }) =>
  isDefault && (
    <span className="inline-flex items-center gap-2">
      <Check size={14} aria-hidden />
      <Badge>default</Badge>
    </span>
  )

/** Whether a new link makes the pool the default one, in place of the `former`. */
export function DefaultControl<V extends FieldValues>({
  form,
  name,
  former,
}: {
  form: UseFormReturn<V>
  name: FieldPath<V>
  former: string | undefined
}) {
  return (
    <CheckboxControl
      name={name}
      control={form.control}
      label="Make default"
      hint={
        former === undefined
          ? 'Used when a request does not name a pool.'
          : `The pool replaces ${former} as the default pool of the silo.`
      }
    />
  )
}
