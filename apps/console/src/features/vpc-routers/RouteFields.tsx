import { instanceList } from '@purlin/contract/operations/instances'
import { internetGatewayList } from '@purlin/contract/operations/internet-gateways'
import { useQuery } from '@tanstack/react-query'
import { useWatch, type Control } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { everyPage } from '#/api/everyPage.ts'
import type { Read } from '#/api/query.ts'
import { subnetsQuery } from '#/features/vpc-names/queries.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import type { VpcTarget } from '#/lib/addresses.ts'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { endComplaint, targetComplaint, type RouteValues } from './routeValues.ts'

interface Named {
  name: string
  description: string
}
interface FieldsProps {
  form: {
    control: Control<RouteValues>
    resetField: (name: 'destination' | 'target', to: { defaultValue: string }) => void
  }
  scope: VpcTarget
  /** Why an end cannot be changed. */
  locked?: Partial<Record<'destination' | 'target', string | undefined>>
}
type Type = RouteValues['destinationType'] | RouteValues['targetType']

const destinationTypes = [
  { value: 'ip', label: 'IP' },
  { value: 'ip_net', label: 'IP network' },
  { value: 'subnet', label: 'Subnet' },
]
const targetTypes = [
  { value: 'ip', label: 'IP' },
  { value: 'instance', label: 'Instance' },
  { value: 'internet_gateway', label: 'Internet gateway' },
  { value: 'drop', label: 'Drop' },
]
// Of routes that the control plane makes; the form only shows them.
const shownTypes: Partial<Record<Type, string>> = { subnet: 'Subnet', vpc: 'VPC' }
const withShown = (types: typeof targetTypes, type: Type) =>
  types.some(({ value }) => value === type)
    ? types
    : [...types, { value: type, label: shownTypes[type] ?? type }]

/** Destination and target of a route. */
export function RouteFields({ form, scope, locked = {} }: FieldsProps) {
  const { control } = form
  const destinationType = useWatch({ control, name: 'destinationType' })
  const targetType = useWatch({ control, name: 'targetType' })
  const clear = (name: 'destination' | 'target') => () => form.resetField(name, { defaultValue: '' })
  return (
    <>
      <hr className="border-line-faint" />
      <ListboxControl
        name="destinationType"
        control={control}
        label="Destination type"
        required
        items={withShown(destinationTypes, destinationType)}
        onValue={clear('destination')}
        disabledReason={locked.destination}
      />
      <EndField
        end="destination"
        type={destinationType}
        scope={scope}
        control={control}
        locked={locked.destination}
      />
      <ListboxControl
        name="targetType"
        control={control}
        label="Target type"
        required
        items={withShown(targetTypes, targetType)}
        onValue={clear('target')}
        disabledReason={locked.target}
      />
      <EndField end="target" type={targetType} scope={scope} control={control} locked={locked.target} />
    </>
  )
}

interface EndProps {
  end: 'destination' | 'target'
  type: Type
  scope: VpcTarget
  control: Control<RouteValues>
  locked: string | undefined
}

const labels = { destination: 'Destination value', target: 'Target value' }
const texts: Partial<Record<Type, { placeholder: string; hint: string }>> = {
  ip: { placeholder: 'Enter an IP', hint: 'For example 192.168.1.222 or fd12:3456::7' },
  ip_net: { placeholder: 'Enter an IP network', hint: 'For example 10.0.0.0/16 or fd00::/8' },
}

/** The value of one end: a text, or a choice of what there is; nothing where packets are dropped. */
function EndField({ end, type, scope, control, locked }: EndProps) {
  const text = texts[type]
  const common = { name: end, control, label: labels[end], disabledReason: locked }
  if (type === 'drop') return null
  if (!text || locked !== undefined) return <NameField {...common} key={type} type={type} scope={scope} />
  return (
    <TextControl
      {...common}
      {...text}
      key={type}
      mono
      refusesEmpty
      validate={(value, form) =>
        end === 'target' ? targetComplaint(value, form) : endComplaint(type, value)
      }
    />
  )
}

interface NameFieldProps {
  name: 'destination' | 'target'
  control: Control<RouteValues>
  label: string
  disabledReason: string | undefined
  type: Type
  scope: VpcTarget
}

const choices: Partial<Record<Type, { placeholder: string; read: (scope: VpcTarget) => Read<Named[]> }>> = {
  subnet: {
    placeholder: 'Select a subnet',
    read: ({ project, vpc }) => subnetsQuery(project, vpc),
  },
  instance: {
    placeholder: 'Select an instance',
    read: ({ project }) => everyPage(instanceList, { query: { project } }),
  },
  internet_gateway: {
    placeholder: 'Select an internet gateway',
    read: ({ project, vpc }) => everyPage(internetGatewayList, { query: { project, vpc } }),
  },
}

function NameField({ type, scope, ...field }: NameFieldProps) {
  const of = choices[type]
  if (!of) return <TextControl {...field} mono refusesEmpty />
  return <ChoiceField {...field} of={of} scope={scope} />
}

function ChoiceField({
  of,
  scope,
  ...field
}: Omit<NameFieldProps, 'type'> & { of: NonNullable<(typeof choices)[Type]> }) {
  const { data, isPending, error } = useQuery({ ...of.read(scope), throwOnError: false })
  return (
    <ComboboxControl
      {...field}
      required
      placeholder={of.placeholder}
      loading={isPending}
      hint={error && `The list could not be loaded: ${errorMessage(error)}`}
      items={(data ?? []).map(({ name, description }) => ({ value: name, label: name, description }))}
    />
  )
}
