import { keysOf } from '@purlin/contract/rules/keys'
import { useQuery } from '@tanstack/react-query'
import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import type { VpcTarget } from '#/lib/addresses.ts'
import { createSemaphore } from '@purlin/contract/semaphore'
import { pasteLines, unlistedProblem } from '#/lib/input/entries.ts'
import type { NamedList, Scope } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { namedRows } from '#/resource/list/namedRows.ts'
import { usePicker } from '#/resource/form/usePicker.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { MiniTable, MiniTableButtons } from '#/ui/field/MiniTable.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import type { ComboboxFieldProps } from '#/ui/field/ComboboxField.tsx'
import type { ControlProps } from '#/ui/form/useField.ts'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { EnterAdds } from './EnterAdds.tsx'
import { endsOf, type EndList, type RuleValues } from './rules/values.ts'
import { endWords, type End } from './rules/words.ts'

const words = {
  targets: { type: 'Target type', add: 'Add target', table: 'Targets' },
  hosts: { type: 'Host type', add: 'Add host filter', table: 'Host filters' },
} as const

const types = keysOf(endWords).map((value) => ({ value, label: endWords[value] }))
const ipHints = {
  ip: 'An IPv4 or IPv6 address, or a pasted list of them',
  ip_net: 'A network such as 192.168.0.0/16 or fd00:1122:3344::/48, or a pasted list of them',
}
const isNamed = (type: End['type']): type is 'vpc' | 'subnet' | 'instance' =>
  type !== 'ip' && type !== 'ip_net'

interface EndFieldsProps {
  form: UseFormReturn<RuleValues>
  list: EndList
  vpc: VpcTarget
}

/** A list of instances and addresses: a name that is chosen, or what is entered, is listed below. */
export function EndFields({ form, list, vpc }: EndFieldsProps) {
  const { control } = form
  const { field } = useController({ control, name: list })
  const draft = useWatch({ control, name: `draft.${list}` })
  const valueName = `draft.${list}.value` as const
  // The type stays: the next entry is often of the same.
  const clear = () => {
    form.setValue(valueName, '')
    form.clearErrors(valueName)
  }
  const add = () => {
    const ends = endsOf(form.getValues(`draft.${list}`), field.value, vpc.vpc)
    if (typeof ends === 'string') return form.setError(valueName, { message: ends })
    field.onChange(ends)
    clear()
    // Why the list was refused may not hold any longer.
    form.clearErrors('appliesTo')
  }
  const shared = {
    name: valueName,
    control,
    validate: (text: string) =>
      text.trim() === ''
        ? undefined
        : unlistedProblem(endsOf({ ...draft, value: text }, field.value, vpc.vpc), field.value),
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
        onValue={() => form.clearErrors(valueName)}
      />
      {isNamed(type) ? (
        <EnterAdds onEnter={add}>
          <NameField
            {...shared}
            key={type}
            type={type}
            vpc={vpc}
            onPick={add}
            taken={field.value.filter((one) => one.type === type).map(({ value }) => value)}
          />
        </EnterAdds>
      ) : (
        <TextControl
          {...shared}
          mono
          key={type}
          label={type === 'ip' ? 'IP address' : 'IP network'}
          hint={ipHints[type]}
          onEnter={add}
          onPaste={pasteLines}
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
          { header: 'Value', cell: (end: End) => <Value end={end} vpc={vpc} /> },
        ]}
        rows={field.value}
        rowKey={({ type: kind, value }) => `${kind} ${value}`}
        onRemove={(row) => field.onChange(field.value.filter((one) => one !== row))}
        removeLabel={({ value }) => `remove ${value}`}
      />
    </div>
  )
}

type Draft = `draft.${EndList}.value`
interface NameFieldProps extends Pick<
  ControlProps<ComboboxFieldProps, string, RuleValues>,
  'control' | 'validate'
> {
  name: Draft
  type: 'vpc' | 'subnet' | 'instance'
  vpc: VpcTarget
  onPick: () => void
  /** Names that are in the list. */
  taken: readonly string[]
}

/** Offers the names that a rule of the VPC can mean. */
function NameField({ type, vpc, taken, ...field }: NameFieldProps) {
  const shared = { value: '', by: 'name', isFree: true, except: taken } as const
  const { project } = vpc
  const instances = usePicker(kinds.instance, { ...shared, scope: { project }, enabled: type === 'instance' })
  const subnets = usePicker(kinds.vpcSubnet, { ...shared, scope: vpc, enabled: type === 'subnet' })
  const own = { items: taken.includes(vpc.vpc) ? [] : [{ value: vpc.vpc, label: vpc.vpc }] }
  const offered = { vpc: own, instance: instances.field, subnet: subnets.field }
  return <ComboboxControl {...field} label={`${endWords[type]} name`} mono allowCustom {...offered[type]} />
}

function Value({ end, vpc }: { end: End; vpc: VpcTarget }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {end.value}
      {useIsMissing(end, vpc) && <Badge tone="danger">not found</Badge>}
    </span>
  )
}

/** Whether it is known that nothing in the VPC has the name. */
function useIsMissing({ type, value }: End, { project, vpc }: VpcTarget): boolean {
  const { data } = useQuery({
    ...(type === 'instance'
      ? named(kinds.instance.list, { project }, value)
      : named(kinds.vpcSubnet.list, { project, vpc }, value)),
    enabled: type === 'instance' || type === 'subnet',
    throwOnError: false,
  })
  if (type === 'vpc') return value !== vpc
  return data !== undefined && !data.nextPage && !data.items.some(({ name }) => name === value)
}

// A rule may have many ends; other requests must not wait for them.
const limit = createSemaphore({ running: 4 })

function named(list: NamedList, scope: Scope, name: string) {
  const read = namedRows(list, scope, name)
  const queryFn: typeof read.queryFn = (context) => limit(() => read.queryFn(context))
  return { ...read, queryFn }
}
