import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import { unlistedProblem } from '#/lib/input/entries.ts'
import { MiniTable, MiniTableButtons } from '#/ui/field/MiniTable.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import { EnterAdds } from './EnterAdds.tsx'
import { icmpTypes } from './rules/icmpTypes.ts'
import {
  icmpCodeProblem,
  icmpTypeProblem,
  noProtocol,
  protocolOf,
  withProtocol,
  type RuleValues,
} from './rules/values.ts'
import { matchesAllOf, protocolWords, type Protocol } from './rules/words.ts'

const protocols = [
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
  { value: 'icmp', label: 'ICMP' },
]
const icmpOf = (one: Protocol) => (one.type === 'icmp' ? one.value : null)

/** A type or code, or a dash that says what is matched without it. */
const orAll = (one: Protocol, value: number | string | null | undefined) =>
  value ?? (
    <Tooltip content={matchesAllOf(one)}>
      <button type="button" className="relative rounded-sm">
        <Dash />
      </button>
    </Tooltip>
  )

/** The problem with a protocol that is chosen but not listed: none, if the list has it. */
function draftProblem({ draft, protocols: listed }: RuleValues): string | undefined {
  const protocol = protocolOf(draft.protocol)
  if (protocol) return unlistedProblem(withProtocol(protocol, listed), listed)
  return draft.protocol.type === '' ? undefined : unlistedProblem([draft], [])
}

/** Protocols, and of ICMP types and codes: chosen one by one, listed below. */
export function ProtocolFields({ form }: { form: UseFormReturn<RuleValues> }) {
  const { control } = form
  const { field } = useController({ control, name: 'protocols' })
  const draft = useWatch({ control, name: 'draft.protocol' })
  const clear = () => {
    form.setValue('draft.protocol', noProtocol)
    form.clearErrors('draft.protocol')
  }
  const add = () => {
    const now = form.getValues('draft.protocol')
    const protocol = protocolOf(now)
    form.clearErrors('draft.protocol')
    const say = (name: 'type' | 'icmpType' | 'code', message: string | undefined) =>
      message && form.setError(`draft.protocol.${name}`, { message })
    if (!protocol) {
      say('icmpType', icmpTypeProblem(now.icmpType))
      say('code', icmpCodeProblem(now.code))
      return
    }
    const protocols = withProtocol(protocol, field.value)
    if (typeof protocols === 'string') return void say('type', protocols)
    field.onChange(protocols)
    clear()
  }
  return (
    <div className="flex flex-col gap-2.5">
      <ListboxControl
        name="draft.protocol.type"
        control={control}
        label="Protocol filters"
        placeholder="Select a protocol"
        items={protocols}
        validate={(_, values) => draftProblem(values)}
        onValue={(type) => form.setValue('draft.protocol', { ...noProtocol, type: type as Protocol['type'] })}
      />
      {draft.type === 'icmp' && (
        <EnterAdds onEnter={add}>
          <ComboboxControl
            name="draft.protocol.icmpType"
            control={control}
            label="ICMP type"
            placeholder="All types"
            hint="If left blank, messages of any type match."
            allowCustom
            items={icmpTypes}
            validate={icmpTypeProblem}
          />
        </EnterAdds>
      )}
      {draft.type === 'icmp' && draft.icmpType !== '' && (
        <TextControl
          name="draft.protocol.code"
          control={control}
          label="ICMP code"
          mono
          hint="A code or a range such as 0-3. If left blank, all codes of the type match."
          transform={(text) => text.replaceAll(/[–—]/g, '-')}
          validate={icmpCodeProblem}
          onEnter={add}
        />
      )}
      <MiniTableButtons
        addLabel="Add protocol filter"
        isEmpty={draft.type === ''}
        onAdd={add}
        onClear={clear}
      />
      <MiniTable
        label="Protocol filters"
        columns={[
          { header: 'Protocol', cell: (one: Protocol) => <Badge>{protocolWords(one).protocol}</Badge> },
          { header: 'Type', cell: (one: Protocol) => orAll(one, icmpOf(one)?.icmpType) },
          { header: 'Code', cell: (one: Protocol) => orAll(one, icmpOf(one)?.code) },
        ]}
        rows={field.value}
        rowKey={(one) => JSON.stringify(one)}
        onRemove={(row) => field.onChange(field.value.filter((one) => one !== row))}
        removeLabel={(one) =>
          `remove ${protocolWords(one).protocol} ${protocolWords(one).messages ?? ''}`.trim()
        }
      />
    </div>
  )
}
