import { useForm, type Control } from 'react-hook-form'
import { capitalize } from '#/lib/text.ts'
import { ModalForm } from './ModalForm.tsx'
import type { RequestOf } from './ResourceForm.tsx'
import type { Choice } from '#/ui/field/choices.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import type { Row, RowField, RowTable } from './rowTable.ts'

/** The choices of fields that name a row or a resource. */
export type Offered = Record<'links' | 'lots' | 'configs', readonly Choice[]>

interface Props {
  table: RowTable
  row: Row
  /** Added rather than changed. */
  isNew?: boolean
  /** For tables with such fields. */
  offered?: Offered
  onSave: (row: Row) => void | Promise<void>
  request: RequestOf<Row> | null
  onDismiss: () => void
}

const notKept = 'A draft does not keep it. Enter it again.'

const nothingOffered: Offered = { links: [], lots: [], configs: [] }

/** The form of a row. */
export function RowDialog(props: Props) {
  const { table, row, isNew = false, offered = nothingOffered, onSave, request, onDismiss } = props
  const isLeftOut = ({ name, isSecret }: RowField) => isSecret && !(name in row)
  const form = useForm<Row>({ defaultValues: row })
  return (
    <ModalForm
      title={`${isNew ? 'Add' : 'Edit'} ${table.noun}`}
      submitLabel={isNew ? 'Add' : 'Update'}
      form={form}
      onSubmit={async (filled) => {
        await onSave(filled)
        onDismiss()
      }}
      request={request}
      onDismiss={onDismiss}
    >
      {table.fields.map((field) => (
        <FieldOf
          key={field.name}
          field={isLeftOut(field) ? { ...field, hint: notKept } : field}
          control={form.control}
          offered={offered}
        />
      ))}
    </ModalForm>
  )
}

interface FieldProps {
  field: RowField
  control: Control<Row>
  offered: Offered
}

function FieldOf({ field, control, offered }: FieldProps) {
  const { name, label, hint, required = false } = field
  const common = { name, label: capitalize(label), hint, required, control }
  if (field.as === 'number') return <NumberControl {...common} min={field.min} max={field.max} />
  if (field.as === 'switch') return <CheckboxControl {...common} />
  if (field.as === 'choice')
    return <ListboxControl {...common} items={field.items ?? offered[field.from ?? 'links']} />
  const { check } = field
  const validate = (text: string) => (text === '' ? undefined : check?.(text))
  if (field.as === 'lines') return <TextAreaControl {...common} validate={validate} />
  return <TextControl {...common} mono maxLength={field.max} validate={validate} />
}
