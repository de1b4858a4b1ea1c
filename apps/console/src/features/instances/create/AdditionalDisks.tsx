import { useId, useState } from 'react'
import { bodyToForm } from '#/features/disks/body.ts'
import { AttachDiskDialog, DiskForm } from '#/features/disks/lazyForms.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { FieldError } from '#/ui/field/fieldParts.tsx'
import { MiniTable, type MiniColumn } from '#/ui/field/MiniTable.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import type { DiskRow } from './values/form.ts'
import { FormSection } from './FormSection.tsx'
import { needOf } from './values/quota.ts'
import { diskLimit, disksChosen, disksProblem, namesTaken, rowName } from './values/rules.ts'
import { useListField, type SectionProps } from './values/sections.ts'

type Dialog = 'create' | 'attach' | Extract<DiskRow, { type: 'create' }>

const columns: readonly MiniColumn<DiskRow>[] = [
  { header: 'Name', cell: (row) => <Truncate text={rowName(row)} /> },
  {
    header: 'Type',
    cell: ({ type }) => <Badge tone={type === 'create' ? 'accent' : 'neutral'}>{type}</Badge>,
  },
  { header: 'Size', cell: (row) => <Size bytes={row.type === 'create' ? row.body.size : row.size} /> },
]

export function AdditionalDisks({ form, project }: Pick<SectionProps, 'form' | 'project'>) {
  const [dialog, setDialog] = useState<Dialog>()
  const errorId = useId()
  const { value: rows, onChange, error, ref } = useListField({ form, name: 'disks', validate: disksProblem })
  const set = (next: DiskRow[]) => {
    onChange(next)
    // Removing a disk can resolve a duplicate name or a disk that is used twice.
    if (form.formState.isSubmitted) void form.trigger(['bootName', 'bootDisk'])
  }
  const edited = typeof dialog === 'object' ? dialog : undefined
  const add = (row: DiskRow) => {
    set(edited ? rows.map((other) => (other === edited ? row : other)) : [...rows, row])
    setDialog(undefined)
  }
  // The values of the form without the disk that is edited.
  const others = () => ({ ...form.getValues(), disks: rows.filter((row) => row !== edited) })
  const close = () => setDialog(undefined)
  const attach = ({ name, size }: { name: string; size: number }) => add({ type: 'attach', name, size })
  const limit = diskLimit(rows.length)
  return (
    <FormSection
      title="Additional disks"
      hint="Additional storage. New disks are created together with the instance."
    >
      <div className="flex flex-col gap-3">
        <MiniTable
          label="Disks"
          columns={columns}
          rows={rows}
          rowKey={rowName}
          onRemove={(row) => set(rows.filter((other) => other !== row))}
          editOf={(row) => (row.type === 'create' ? () => setDialog(row) : undefined)}
          editLabel={(row) => `Edit disk ${rowName(row)}`}
          removeLabel={(row) => `Remove disk ${rowName(row)}`}
          emptyText="No additional disks"
        />
        <div>
          <div className="flex flex-wrap gap-2">
            <Button
              ref={ref}
              size="small"
              disabledReason={limit}
              aria-describedby={error ? errorId : undefined}
              onClick={() => setDialog('create')}
            >
              Create new disk
            </Button>
            <Button size="small" disabledReason={limit} onClick={() => setDialog('attach')}>
              Attach existing disk
            </Button>
          </div>
          <FieldError id={errorId} error={error} />
        </div>
      </div>
      {(dialog === 'create' || edited) && (
        <DiskForm
          animate
          checksName
          project={project}
          {...(edited ? { title: 'Edit disk', submitLabel: 'Update disk' } : {})}
          filled={edited && { values: bodyToForm(edited.body) }}
          unavailableNames={namesTaken(others())}
          planned={needOf(others()).storage}
          onSubmit={(body) => add({ type: 'create', body })}
          request={null}
          onDismiss={close}
        />
      )}
      {dialog === 'attach' && (
        <AttachDiskDialog
          project={project}
          unavailableNames={disksChosen(form.getValues())}
          onSubmit={attach}
          request={null}
          onDismiss={close}
        />
      )}
    </FormSection>
  )
}
