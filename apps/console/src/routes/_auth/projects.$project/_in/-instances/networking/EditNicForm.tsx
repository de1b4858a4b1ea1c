import EthernetPort from 'lucide-react/icons/ethernet-port'
import { useForm } from 'react-hook-form'
import { nicNameProblem } from '../../../../../../parts/instance/nic.ts'
import { Address } from '../../../../../../parts/network/Address.tsx'
import { ResourceForm } from '../../../../../../parts/ResourceForm.tsx'
import { DescriptionControl } from '../../../../../../ui/form/DescriptionControl.tsx'
import { NameControl } from '../../../../../../ui/form/NameControl.tsx'
import { idProperty, PropertiesTable } from '../../../../../../ui/PropertiesTable.tsx'
import type { Nic } from './nicActions.tsx'
import { TransitIps, type EditNicValues } from './TransitIps.tsx'

export interface EditNicFormProps {
  nic: Nic
  /** The other interfaces of the instance. */
  others: readonly Nic[]
  /** Sends the changes. What it throws is shown, and the form stays open. */
  onSubmit: (changes: { name: string; description: string; transitIps: string[] }) => Promise<unknown>
  onDismiss: () => void
}

/** 'Edit network interface' in a side modal. */
export function EditNicForm({ nic, others, onSubmit, onDismiss }: EditNicFormProps) {
  const { name, description, transitIps } = nic
  const form = useForm<EditNicValues>({ defaultValues: { name, description, transitIps, transitIp: '' } })
  const { control } = form
  return (
    <ResourceForm
      title="Edit network interface"
      submitLabel="Update network interface"
      animate
      resource={
        <>
          <EthernetPort aria-hidden /> {name}
        </>
      }
      form={form}
      onSubmit={({ transitIp: _, ...changes }) => onSubmit(changes)}
      onDismiss={onDismiss}
    >
      <PropertiesTable
        columns={1}
        properties={[
          idProperty(nic.id),
          { label: 'Private IP', value: <Address ip={nic.ip} /> },
          { label: 'MAC address', value: <span className="mono">{nic.mac}</span> },
        ]}
      />
      <NameControl name="name" control={control} validate={(text) => nicNameProblem(text, others)} />
      <DescriptionControl name="description" control={control} />
      <hr className="border-line-faint" />
      <TransitIps form={form} />
    </ResourceForm>
  )
}
