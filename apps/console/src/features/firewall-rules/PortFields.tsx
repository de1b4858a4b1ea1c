import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import { MiniTable, MiniTableButtons } from '#/ui/field/MiniTable.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { portProblem, portsWithoutProtocol, type RuleValues } from './rules/values.ts'

/** Ports and ranges of ports: typed one by one, listed below. */
export function PortFields({ form }: { form: UseFormReturn<RuleValues> }) {
  const { control } = form
  const { field } = useController({ control, name: 'ports' })
  const name = 'draft.port'
  const clear = () => {
    form.setValue(name, '')
    form.clearErrors(name)
  }
  const add = () => {
    const text = form.getValues(name).trim()
    if (text === '') return
    const message = portProblem(text, field.value)
    if (message) return form.setError(name, { message })
    field.onChange([...field.value, text])
    clear()
  }
  return (
    <div className="flex flex-col gap-2.5">
      <TextControl
        name={name}
        control={control}
        label="Port filters"
        mono
        hint="A destination port such as 22, or a range such as 8000-8080. Without a protocol filter, ports stand for TCP and UDP."
        onEnter={add}
        onValue={(text) => {
          if (field.value.includes(text.trim()))
            form.setError(name, { message: portProblem(text, field.value) ?? '' })
          else form.clearErrors(name)
        }}
        validate={(text, values) =>
          text.trim() === ''
            ? portsWithoutProtocol(values)
            : (portProblem(text, values.ports) ?? 'Add this to the list, or clear it')
        }
      />
      <MiniTableButtons
        addLabel="Add port filter"
        isEmpty={useWatch({ control, name }).trim() === ''}
        onAdd={add}
        onClear={clear}
      />
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
