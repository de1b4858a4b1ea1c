import type { UseFormReturn } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import { icmpCodes, portNumbers } from '@purlin/contract/rules/network/firewall'
import { icmpTypes } from '#/features/firewall-rules/rules/icmpTypes.ts'
import { Button } from '#/ui/button/Button.tsx'
import type { Choice } from '#/ui/field/choices.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { endProblem, oneTypeProblem, type TraceValues } from './question.ts'

const protocols = [
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
  { value: 'icmp', label: 'ICMP' },
  { value: 'other', label: 'Other' },
]

interface TraceFormProps {
  form: UseFormReturn<TraceValues>
  ends: { choices: readonly Choice[]; isPending: boolean }
  isTracing: boolean
  onTrace: (values: TraceValues) => void
}

/** Both ends of a trace, and what is sent. */
export function TraceForm({ form, ends, isTracing, onTrace }: TraceFormProps) {
  const { control } = form
  const end = {
    control,
    items: ends.choices,
    loading: ends.isPending,
    required: true,
    allowCustom: true,
    placeholder: 'Instance or IP address',
    validate: endProblem,
  }
  return (
    <form
      noValidate
      autoComplete="off"
      aria-label="Trace"
      onSubmit={(event) => void form.handleSubmit(onTrace)(event)}
      className="flex flex-col gap-4 rounded-lg border border-line bg-raised p-4"
    >
      <ComboboxControl {...end} name="from" label="From" />
      <ComboboxControl {...end} name="to" label="To" />
      <ListboxControl name="protocol" control={control} label="Protocol" required items={protocols} />
      <MessageFields form={form} />
      <CheckboxControl name="assumeRunning" control={control} label="As if all instances were running" />
      <Button type="submit" variant="primary" pending={isTracing} className="w-full">
        Trace
      </Button>
    </form>
  )
}

/** The fields of the chosen protocol: a port, or the type and code of a message. */
function MessageFields({ form: { control } }: Pick<TraceFormProps, 'form'>) {
  const protocol = useWatch({ control, name: 'protocol' })
  switch (protocol) {
    case 'tcp':
    case 'udp':
      return (
        <NumberControl
          name="port"
          control={control}
          label="Destination port"
          required
          integer
          min={portNumbers.first}
          max={portNumbers.last}
        />
      )
    case 'icmp':
      return (
        <div className="grid grid-cols-2 gap-3">
          <ComboboxControl
            name="icmpType"
            control={control}
            label="ICMP type"
            required
            allowCustom
            items={icmpTypes}
            validate={oneTypeProblem}
          />
          <NumberControl name="code" control={control} label="Code" required integer max={icmpCodes.last} />
        </div>
      )
    case 'other':
      return null
  }
}
