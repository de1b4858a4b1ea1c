import { vpcSubnetList } from '@purlin/contract/operations/networks'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { query } from '../../../../../api.ts'
import { errorMessage } from '../../../../../send.ts'
import { pickerLimit } from '../../../../../parts/paging.ts'
import { ResourceForm } from '../../../../../parts/ResourceForm.tsx'
import { DescriptionControl } from '../../../../../ui/form/DescriptionControl.tsx'
import { ListboxControl } from '../../../../../ui/form/ListboxControl.tsx'
import { NameControl } from '../../../../../ui/form/NameControl.tsx'
import { TextControl } from '../../../../../ui/form/TextControl.tsx'
import type { Vpc } from './data.ts'
import type { NicRow } from './form.ts'
import { nicIpProblem, nicNameProblem } from './rules.ts'

interface NicFormProps {
  project: string
  vpcs: readonly Vpc[]
  /** Interfaces that the instance gets already: the first decides the VPC, each takes a subnet. */
  others: readonly NicRow[]
  onAdd: (nic: NicRow) => void
  onDismiss: () => void
}

/** 'Add network interface' for an instance that does not exist yet: nothing is sent. */
export function NicForm({ project, vpcs, others, onAdd, onDismiss }: NicFormProps) {
  const settledVpc = others[0]?.vpcName
  const onlyVpc = vpcs.length === 1 ? vpcs[0]?.name : undefined
  const form = useForm<NicRow>({
    defaultValues: {
      name: '',
      description: '',
      vpcName: settledVpc ?? onlyVpc ?? '',
      subnetName: '',
      ip: '',
    },
  })
  const { control } = form
  const vpcName = useWatch({ control, name: 'vpcName' })
  const subnets = useSubnets(project, vpcName)
  const free = subnets.items.filter(({ name }) => !others.some((nic) => nic.subnetName === name))
  return (
    <ResourceForm
      title="Add network interface"
      form={form}
      animate
      onSubmit={async (nic) => onAdd({ ...nic, ip: nic.ip.trim() })}
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
        disabledReason={
          settledVpc && 'All interfaces of an instance are in one VPC, which the first one has settled.'
        }
        items={vpcs.map(({ name, description }) => ({ value: name, label: name, description }))}
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
        hint="Chosen from the subnet if left blank."
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
    ...query(vpcSubnetList, { query: { project, vpc, limit: pickerLimit } }),
    enabled: vpc !== '',
  })
  return {
    items: result.data?.items ?? [],
    isLoading: result.isLoading,
    isKnown: result.isSuccess,
    error: result.error,
  }
}

function subnetHint(
  { items, isKnown, error }: ReturnType<typeof useSubnets>,
  free: number,
): string | undefined {
  if (error) return `The subnets could not be read: ${errorMessage(error)}`
  if (!isKnown || free > 0) return undefined
  return items.length === 0
    ? 'No subnets found'
    : 'Every subnet of this VPC has an interface of this instance already.'
}
