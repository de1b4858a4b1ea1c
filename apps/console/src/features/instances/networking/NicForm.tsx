import type { ApiRequest } from '#/api/request.ts'
import { isUuid } from '@purlin/contract/rules/names'
import { useForm, useWatch } from 'react-hook-form'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { kinds } from '#/resource/kinds.ts'
import { knownName } from '#/resource/address/references.tsx'
import { usePicker } from '#/resource/form/usePicker.ts'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { MissingSubnet } from '#/features/vpc-subnets/MissingSubnet.tsx'
import { MissingVpc } from '#/features/vpcs/MissingVpc.tsx'
import { nicIpProblem, nicNameProblem, type NicValues, type OtherNic } from './nic.ts'

export interface NicFormProps {
  project: string
  others: readonly OtherNic[]
  /** The interface that is edited, if it was not sent yet. */
  edited?: NicValues | undefined
  /** Adds the interface, or collects it. What it throws is shown, and the form stays open. */
  onSubmit: (nic: NicValues) => unknown
  /** The request that adds it; null if interfaces are collected. */
  request: ((nic: NicValues) => ApiRequest) | null
  onDismiss: () => void
}

/** 'Add network interface' in a side modal. The VPCs should have been read by then. */
export function NicForm({ project, others, edited, onSubmit, request, onDismiss }: NicFormProps) {
  const lines = { by: 'name', choice: described } as const
  const first = usePicker(kinds.vpc, { ...lines, scope: { project }, value: '' })
  const settled = others[0] && nameOfVpc(others[0].vpc, first.rows)
  const only = first.total === 1 ? first.rows[0]?.name : undefined
  const form = useForm<NicValues>({
    defaultValues: edited ?? {
      name: '',
      description: '',
      vpcName: settled ?? only ?? '',
      subnetName: '',
      ip: '',
    },
  })
  const { control } = form
  const [vpcName, subnetName] = useWatch({ control, name: ['vpcName', 'subnetName'] })
  const vpcs = usePicker(kinds.vpc, { ...lines, scope: { project }, value: vpcName })
  const subnets = usePicker(kinds.vpcSubnet, {
    scope: { project, vpc: vpcName },
    value: subnetName,
    by: 'name',
    except: others.map(({ subnet }) => subnet),
    choice: ({ ipv4Block }) => ({ description: ipv4Block }),
    enabled: vpcName !== '',
  })
  const chooseVpc = (name: string) => {
    form.setValue('vpcName', name, { shouldDirty: true })
    form.setValue('subnetName', '')
  }
  return (
    <ResourceForm
      title={edited ? 'Edit network interface' : 'Add network interface'}
      submitLabel={edited ? 'Update network interface' : 'Add network interface'}
      form={form}
      draft={request ? 'networkInterface' : undefined}
      animate
      onSubmit={async (nic) => onSubmit(trimmed(nic))}
      request={request && ((nic) => request(trimmed(nic)))}
      onDismiss={onDismiss}
    >
      <NameControl name="name" control={control} validate={(name) => nicNameProblem(name, others)} />
      <DescriptionControl name="description" control={control} />
      <hr className="border-line-faint" />
      {first.isEmpty && (
        <MissingVpc project={project} onMade={chooseVpc}>
          The project has no VPC that the interface could be in.
        </MissingVpc>
      )}
      <ComboboxControl
        name="vpcName"
        control={control}
        label="VPC"
        required
        placeholder="Select a VPC"
        hint={vpcs.problem}
        disabledReason={settled && 'All interfaces of an instance must be in the same VPC as the first one.'}
        onValue={chooseVpc}
        {...vpcs.field}
      />
      <ComboboxControl
        name="subnetName"
        control={control}
        label="Subnet"
        required
        placeholder={vpcName === '' ? 'Select a VPC to see subnets' : 'Select a subnet'}
        disabledReason={vpcName === '' && 'Select a VPC to see subnets'}
        hint={subnets.problem}
        {...subnets.field}
      />
      {vpcName !== '' && subnets.isEmpty && (
        <MissingSubnet
          scope={{ project, vpc: vpcName }}
          onMade={(name) => form.setValue('subnetName', name, { shouldDirty: true })}
        >
          {noSubnet(subnets.total)}
        </MissingSubnet>
      )}
      <TextControl
        name="ip"
        control={control}
        label="IP Address"
        mono
        hint="If left blank, an available address of the subnet is used."
        validate={(text) => nicIpProblem(text, subnets.chosen)}
      />
    </ResourceForm>
  )
}

const trimmed = (nic: NicValues): NicValues => ({ ...nic, ip: nic.ip.trim() })

const described = ({ description }: { description: string }) => ({ description })

/** The name of a VPC that is known by name or id. */
const nameOfVpc = (vpc: string, list: readonly { id: string; name: string }[]): string | undefined =>
  isUuid(vpc) ? (list.find(({ id }) => id === vpc)?.name ?? knownName('vpc', vpc)) : vpc

const noSubnet = (total: number | undefined): string =>
  total === 0
    ? 'The VPC has no subnet.'
    : 'The instance already has an interface in every subnet of this VPC.'
