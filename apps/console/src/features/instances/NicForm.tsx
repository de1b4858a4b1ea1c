import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { subnetsQuery, vpcsQuery } from '#/features/vpc-names/queries.ts'
import { ResourceForm } from '#/resource/ResourceForm.tsx'
import { nicIpProblem, nicNameProblem, type NicValues, type OtherNic } from './nic.ts'

export interface NicFormProps {
  project: string
  others: readonly OtherNic[]
  /** Adds the interface, or collects it. What it throws is shown, and the form stays open. */
  onSubmit: (nic: NicValues) => unknown
  onDismiss: () => void
}

/** 'Add network interface' in a side modal. The VPCs should have been read by then. */
export function NicForm({ project, others, onSubmit, onDismiss }: NicFormProps) {
  const vpcs = useQuery({ ...vpcsQuery(project), throwOnError: false })
  const list = vpcs.data ?? []
  const settled = others[0] && list.find(({ id, name }) => [id, name].includes(others[0]?.vpc ?? ''))
  const only = list.length === 1 ? list[0] : undefined
  const form = useForm<NicValues>({
    defaultValues: {
      name: '',
      description: '',
      vpcName: (settled ?? only)?.name ?? '',
      subnetName: '',
      ip: '',
    },
  })
  const { control } = form
  const vpcName = useWatch({ control, name: 'vpcName' })
  const subnets = useSubnets(project, vpcName)
  const free = subnets.items.filter(({ id, name }) => !others.some((nic) => [id, name].includes(nic.subnet)))
  return (
    <ResourceForm
      title="Add network interface"
      form={form}
      animate
      onSubmit={async (nic) => onSubmit({ ...nic, ip: nic.ip.trim() })}
      onDismiss={onDismiss}
    >
      <NameControl name="name" control={control} validate={(name) => nicNameProblem(name, others)} />
      <DescriptionControl name="description" control={control} />
      <hr className="border-line-faint" />
      <ListboxControl
        name="vpcName"
        control={control}
        label="VPC"
        required
        placeholder="Select a VPC"
        loading={vpcs.isPending}
        hint={vpcs.error && `The VPCs could not be loaded: ${errorMessage(vpcs.error)}`}
        disabledReason={settled && 'All interfaces of an instance must be in the same VPC as the first one.'}
        items={list.map(({ name, description }) => ({ value: name, label: name, description }))}
        onValue={() => form.setValue('subnetName', '')}
      />
      <ListboxControl
        name="subnetName"
        control={control}
        label="Subnet"
        required
        placeholder={vpcName === '' ? 'Select a VPC to see subnets' : 'Select a subnet'}
        loading={subnets.isLoading}
        disabledReason={vpcName === '' && 'Select a VPC to see subnets'}
        hint={subnetHint(subnets, free.length)}
        items={free.map(({ name, ipv4Block }) => ({ value: name, label: name, description: ipv4Block }))}
      />
      <TextControl
        name="ip"
        control={control}
        label="IP Address"
        mono
        hint="If left blank, an available address of the subnet is used."
        validate={(text, { subnetName }) =>
          nicIpProblem(
            text,
            subnets.items.find(({ name }) => name === subnetName),
          )
        }
      />
    </ResourceForm>
  )
}

function useSubnets(project: string, vpc: string) {
  const result = useQuery({
    ...subnetsQuery(project, vpc),
    throwOnError: false,
    enabled: vpc !== '',
  })
  return {
    items: result.data ?? [],
    isLoading: result.isLoading,
    isKnown: result.isSuccess,
    error: result.error,
  }
}

function subnetHint(
  { items, isKnown, error }: ReturnType<typeof useSubnets>,
  free: number,
): string | undefined {
  if (error) return `The subnets could not be loaded: ${errorMessage(error)}`
  if (!isKnown || free > 0) return undefined
  return items.length === 0
    ? 'No subnets found'
    : 'The instance already has an interface in every subnet of this VPC.'
}
