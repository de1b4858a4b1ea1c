import {
  instanceNetworkInterfaceList,
  instanceNetworkInterfaceView,
} from '@purlin/contract/operations/vpcs/network-interfaces'
import EthernetPort from 'lucide-react/icons/ethernet-port'
import { useForm } from 'react-hook-form'
import { nicNameProblem } from './nic.ts'
import { Address } from '#/ui/value/Address.tsx'
import { instanceReachability } from '@purlin/contract/operations/vpcs/vpc-effects'
import { invalidate, query } from '#/api/query.ts'
import { useGuardedUpdate } from '#/resource/form/guardedUpdate.tsx'
import { undoableToast } from '#/resource/actions/undo.tsx'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { nicTarget, type Nic } from './nicActions.tsx'
import { TransitIps, type EditNicValues } from './TransitIps.tsx'

export interface EditNicFormProps {
  target: InstanceTarget
  nic: Nic
  /** The other interfaces of the instance. */
  others: readonly Nic[]
  onDone: () => void
}

const reload = () => invalidate(instanceNetworkInterfaceList, instanceReachability)

const valuesOf = ({ name, description, transitIps }: Nic) => ({ name, description, transitIps })

/** 'Edit network interface' in a side modal. */
export const EditNicForm = ({ nic, ...props }: EditNicFormProps) => (
  <LoadToEdit
    isPanel
    title="Edit network interface"
    read={query(instanceNetworkInterfaceView, nicTarget(nic).args)}
    onDismiss={props.onDone}
  >
    {(now) => <Form {...props} nic={now} />}
  </LoadToEdit>
)

function Form({ target, nic, others, onDone }: EditNicFormProps & { nic: Fresh<Nic> }) {
  const { name } = nic
  const form = useForm<EditNicValues>({ defaultValues: { ...valuesOf(nic), transitIp: '' } })
  const { save, request, notice, restoring } = useGuardedUpdate(nicTarget(nic), { form, row: nic, valuesOf })
  const { control } = form
  return (
    <ResourceForm
      title="Edit network interface"
      submitLabel="Update network interface"
      animate
      resource={{ icon: EthernetPort, name }}
      form={form}
      draft={{ form: 'networkInterface', place: nic.id, isChange: true }}
      onSubmit={async ({ transitIp: _, ...changes }) => {
        const putBack = restoring(await save(changes), (values) => values)
        await reload()
        const toast = { noun: 'Network interface', name: changes.name, done: 'updated' }
        const restore = async () => {
          await putBack()
          await reload()
        }
        addToast(undoableToast({ ...toast, undone: 'is as it was before' }, restore))
        onDone()
      }}
      request={({ transitIp: _, ...changes }) => ({
        ...request(changes),
        names: { ...target, interface: name },
      })}
      onDismiss={onDone}
    >
      {notice}
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
