import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import { MiniTable, MiniTableButtons } from '#/ui/field/MiniTable.tsx'
import { pasteLines, unlistedProblem } from '#/lib/input/entries.ts'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { portsOf, portsWithoutProtocol, type RuleValues } from './rules/values.ts'

const portHint =
  'A destination port such as 22, or a range such as 8000-8080; several with commas or blanks between them. Without a protocol filter, ports stand for TCP and UDP.'

/** Ports and ranges of ports: typed one by one, listed below. */
export function PortFields({ form }: { form: UseFormReturn<RuleValues> }) {
  const { control } = form
  const { field } = useController({ control, name: 'ports' })
  const name = 'draft.port'
  const draft = useWatch({ control, name }).trim()
  const clear = () => {
    form.setValue(name, '')
    form.clearErrors(name)
  }
  const add = () => {
    const ports = portsOf(form.getValues(name), field.value)
    if (typeof ports === 'string') return form.setError(name, { message: ports })
    field.onChange(ports)
    clear()
  }
  return (
    <div className="flex flex-col gap-2.5">
      <TextControl
        name={name}
        control={control}
        label="Port filters"
        mono
        hint={field.value.includes(draft) ? 'Port range already added' : portHint}
        onEnter={add}
        onPaste={pasteLines}
        onValue={() => form.clearErrors(name)}
        validate={(text, values) =>
          text.trim() === ''
            ? portsWithoutProtocol(values)
            : unlistedProblem(portsOf(text, values.ports), values.ports)
        }
      />
      <MiniTableButtons addLabel="Add port filter" isEmpty={draft === ''} onAdd={add} onClear={clear} />
      <MiniTable
        label="Port filters"
        columns={[{ header: 'Port ranges', cell: (port: string) => port }]}
        rows={field.value}
        rowKey={(port) => port}
        onRemove={(port) => field.onChange(field.value.filter((one) => one !== port))}
        removeLabel={(port) => `remove port ${port}`}
      />
    </div>
  )
}
