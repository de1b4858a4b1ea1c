import { keysOf } from '@purlin/contract/rules/keys'
import { useQuery } from '@tanstack/react-query'
import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import type { Page } from '#/api/everyPage.ts'
import { load } from '#/api/query.ts'
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
  const add = async () => {
    const entered = form.getValues(`draft.${list}`)
    const read = () => endsOf(entered, form.getValues(list), vpc.vpc)
    const first = read()
    // Entries of the list stay, also of what has been deleted since.
    const isNew = (end: End) => !form.getValues(list).some((one) => isSameEnd(one, end))
    const problem = typeof first === 'string' ? first : await missingProblem(first.filter(isNew), vpc)
    if (problem !== undefined) return form.setError(valueName, { message: problem })
    const ends = read()
    if (typeof ends === 'string') return form.setError(valueName, { message: ends })
    field.onChange(ends)
    if (form.getValues(valueName) === entered.value) clear()
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
        <EnterAdds onEnter={() => void add()}>
          <NameField
            {...shared}
            key={type}
            type={type}
            vpc={vpc}
            onPick={() => void add()}
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
          onEnter={() => void add()}
          onPaste={pasteLines}
        />
      )}
      <MiniTableButtons
        addLabel={words[list].add}
        isEmpty={draft.value.trim() === ''}
        onAdd={() => void add()}
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

const isSameEnd = (a: End, b: End) => a.type === b.type && a.value === b.value

/** Why new ends cannot be added: a name that nothing has. If the server does not answer, they are taken. */
async function missingProblem(
  ends: readonly End[],
  { project, vpc }: VpcTarget,
): Promise<string | undefined> {
  for (const { type, value } of ends) {
    if (type !== 'instance' && type !== 'subnet') continue
    const read =
      type === 'instance'
        ? named(kinds.instance.list, { project }, value)
        : named(kinds.vpcSubnet.list, { project, vpc }, value)
    const found = await load({ ...read, staleTime: 0 }).catch(() => undefined)
    if (found && lacks(found, value))
      return type === 'instance'
        ? `No instance of the project is called ${value}`
        : `No subnet of ${vpc} is called ${value}`
  }
  return undefined
}

/** Whether it is known that no row of an answer, or of those after it, has the name. */
const lacks = ({ items, nextPage }: Page<{ name: string }>, name: string) =>
  !nextPage && !items.some((row) => row.name === name)

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
  return data !== undefined && lacks(data, value)
}

// A rule may have many ends; other requests must not wait for them.
const limit = createSemaphore({ running: 4 })

function named(list: NamedList, scope: Scope, name: string) {
  const read = namedRows(list, scope, name)
  const queryFn: typeof read.queryFn = (context) => limit(() => read.queryFn(context))
  return { ...read, queryFn }
}
