import { useWatch, type Control } from 'react-hook-form'
import { kinds } from '#/resource/kinds.ts'
import { type PickedKind, usePicker } from '#/resource/form/usePicker.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import type { VpcTarget } from '#/lib/addresses.ts'
import { withArticle } from '#/lib/text.ts'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { endComplaint, targetComplaint, type RouteValues } from './routeValues.ts'

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

interface ChoiceOf {
  of: PickedKind
  scope: (vpc: VpcTarget) => Partial<VpcTarget>
}
const choices: Partial<Record<Type, ChoiceOf>> = {
  subnet: { of: kinds.vpcSubnet, scope: (vpc) => vpc },
  instance: { of: kinds.instance, scope: ({ project }) => ({ project }) },
  internet_gateway: { of: kinds.internetGateway, scope: (vpc) => vpc },
}

function NameField({ type, scope, ...field }: NameFieldProps) {
  const choice = choices[type]
  if (!choice) return <TextControl {...field} mono refusesEmpty />
  return <ChoiceField {...field} choice={choice} scope={scope} />
}

function ChoiceField({ choice, scope, ...field }: Omit<NameFieldProps, 'type'> & { choice: ChoiceOf }) {
  const picker = usePicker(choice.of, {
    scope: choice.scope(scope),
    value: useWatch({ control: field.control, name: field.name }),
    by: 'name',
    choice: (row) => ('description' in row ? { description: String(row.description) } : {}),
  })
  return (
    <ComboboxControl
      {...field}
      required
      placeholder={`Select ${withArticle(choice.of.noun)}`}
      hint={picker.problem}
      {...picker.field}
    />
  )
}
