import { instanceList } from '@purlin/contract/operations/instances'
import { vpcSubnetList } from '@purlin/contract/operations/vpc-subnets'
import { useQuery } from '@tanstack/react-query'
import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import { everyPage } from '#/api/everyPage.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { Badge } from '#/ui/Badge.tsx'
import { MiniTable, MiniTableButtons } from '#/ui/field/MiniTable.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { EnterAdds } from './EnterAdds.tsx'
import { endProblem, noEnd, type EndList, type RuleValues } from './values.ts'
import { endWords, type End } from './words.ts'

const words = {
  targets: { type: 'Target type', add: 'Add target', table: 'Targets' },
  hosts: { type: 'Host type', add: 'Add host filter', table: 'Host filters' },
} as const

const types = (Object.keys(endWords) as End['type'][]).map((value) => ({ value, label: endWords[value] }))
const ipHints = {
  ip: 'An IPv4 or IPv6 address',
  ip_net: 'A network such as 192.168.0.0/16 or fd00:1122:3344::/48',
}
const isNamed = (type: End['type']): type is 'vpc' | 'subnet' | 'instance' =>
  type !== 'ip' && type !== 'ip_net'

interface EndFieldsProps {
  form: UseFormReturn<RuleValues>
  list: EndList
  vpc: VpcTarget
}

/** A list of instances and addresses: entered one by one, listed below. */
export function EndFields({ form, list, vpc }: EndFieldsProps) {
  const { control } = form
  const { field } = useController({ control, name: list })
  const draft = useWatch({ control, name: `draft.${list}` })
  const names = useNames(vpc)
  const valueName = `draft.${list}.value` as const
  const clear = () => {
    form.setValue(`draft.${list}`, noEnd)
    form.clearErrors(valueName)
  }
  const add = () => {
    const now = form.getValues(`draft.${list}`)
    if (now.value.trim() === '') return
    const message = endProblem(now, field.value)
    if (message) return form.setError(valueName, { message })
    field.onChange([...field.value, { type: now.type, value: now.value.trim() }])
    clear()
    // Why the list was refused may not hold any longer.
    form.clearErrors('appliesTo')
  }
  const shared = {
    name: valueName,
    control,
    mono: true,
    validate: (text: string) =>
      text.trim() === ''
        ? undefined
        : (endProblem({ ...draft, value: text }, field.value) ?? 'Add this to the list, or clear it'),
  } as const
  const { type } = draft
  return (
    <div role="group" aria-label={words[list].table} className="flex flex-col gap-2.5">
      <ListboxControl
        name={`draft.${list}.type`}
        control={control}
        label={words[list].type}
        required
        items={types}
        onValue={() => {
          form.setValue(valueName, '')
          form.clearErrors(valueName)
        }}
      />
      {isNamed(type) ? (
        <EnterAdds onEnter={add}>
          <ComboboxControl
            {...shared}
            key={type}
            label={`${endWords[type]} name`}
            allowCustom
            items={(names[type] ?? [])
              .filter((name) => !field.value.some((one) => one.type === type && one.value === name))
              .map((name) => ({ value: name, label: name }))}
          />
        </EnterAdds>
      ) : (
        <TextControl
          {...shared}
          key={type}
          label={type === 'ip' ? 'IP address' : 'IP network'}
          hint={ipHints[type]}
          onEnter={add}
        />
      )}
      <MiniTableButtons
        addLabel={words[list].add}
        isEmpty={draft.value.trim() === ''}
        onAdd={add}
        onClear={clear}
      />
      <MiniTable
        label={words[list].table}
        columns={[
          { header: 'Type', cell: (end: End) => <Badge>{endWords[end.type]}</Badge> },
          { header: 'Value', cell: (end: End) => <Value end={end} isMissing={isMissing(names, end)} /> },
        ]}
        rows={field.value}
        rowKey={({ type: kind, value }) => `${kind} ${value}`}
        onRemove={(row) => field.onChange(field.value.filter((one) => one !== row))}
        removeLabel={({ value }) => `remove ${value}`}
      />
    </div>
  )
}

const Value = ({ end, isMissing: isUnknown }: { end: End; isMissing: boolean }) => (
  <span className="inline-flex items-center gap-1.5">
    {end.value}
    {isUnknown && <Badge tone="note">not found</Badge>}
  </span>
)

type Names = Partial<Record<End['type'], readonly string[]>>

const isMissing = (names: Names, { type, value }: End): boolean => names[type]?.includes(value) === false

/** The names that a rule of the VPC can mean, as far as they have been read. */
function useNames({ project, vpc }: VpcTarget): Names {
  const instances = useQuery({ ...everyPage(instanceList, { query: { project } }), throwOnError: false }).data
  const subnets = useQuery({
    ...everyPage(vpcSubnetList, { query: { project, vpc } }),
    throwOnError: false,
  }).data
  return {
    vpc: [vpc],
    ...(instances ? { instance: instances.map(({ name }) => name) } : {}),
    ...(subnets ? { subnet: subnets.map(({ name }) => name) } : {}),
  }
}
