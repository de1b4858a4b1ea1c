import EthernetPort from 'lucide-react/icons/ethernet-port'
import { useState } from 'react'
import { DescriptionCell } from '../../../../../../parts/DescriptionCell.tsx'
import { useLoaded } from '../../../../../../parts/instance/useLoaded.ts'
import { Address } from '../../../../../../parts/network/Address.tsx'
import { vpcsQuery } from '../../../../../../parts/network/reads.ts'
import { Badge } from '../../../../../../ui/Badge.tsx'
import { Button } from '../../../../../../ui/Button.tsx'
import { Dash } from '../../../../../../ui/PropertiesTable.tsx'
import { RowMenu } from '../../../../../../ui/RowMenu.tsx'
import type { Column } from '../../../../../../ui/table/columns.ts'
import { MoreCell } from '../../../../../../ui/table/MoreCell.tsx'
import { TableCard } from '../../../../../../ui/table/TableCard.tsx'
import { nicsQuery, subnetQuery, vpcQuery } from '../queries.ts'
import type { ChangesOf } from './externalIpActions.tsx'
import { EditNicForm, NicForm } from './lazyForms.ts'
import { NameOf } from './NameOf.tsx'
import { addNic, addNicRefusal, nicActions, updateNic, type Nic } from './nicActions.tsx'

const title = 'Network interfaces'

const columns: readonly Column<Nic>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ name, primary }) => (
      <span className="inline-flex items-center gap-2 font-medium">
        {name}
        {primary && <Badge tone="accent">primary</Badge>}
      </span>
    ),
  },
  {
    id: 'description',
    header: 'description',
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  { id: 'ip', header: 'Private IP', cell: ({ ip }) => <Address ip={ip} /> },
  { id: 'vpc', header: 'vpc', cell: ({ vpcId }) => <NameOf read={vpcQuery(vpcId)} id={vpcId} /> },
  {
    id: 'subnet',
    header: 'subnet',
    cell: ({ subnetId }) => <NameOf read={subnetQuery(subnetId)} id={subnetId} />,
  },
  {
    id: 'transit',
    header: 'Transit IPs',
    mono: true,
    cell: ({ transitIps }) =>
      transitIps.length === 0 ? <Dash /> : <MoreCell title="Other transit IPs" items={transitIps} />,
  },
]

/** The interfaces of an instance to the project's networks. */
export function NicsCard({ of }: { of: ChangesOf }) {
  const { target } = of
  const nics = useLoaded(nicsQuery(target)).items
  const vpcs = useLoaded(vpcsQuery(target.project))
  const [form, setForm] = useState<'new' | Nic>()
  const close = () => setForm(undefined)
  const add = (
    <Button
      size="small"
      disabledReason={addNicRefusal(of, { nics: nics.length, vpcs: vpcs.length })}
      onClick={() => setForm('new')}
    >
      Add network interface
    </Button>
  )
  return (
    <>
      <TableCard
        title={title}
        buttons={add}
        columns={columns}
        rows={nics}
        rowKey={({ id }) => id}
        rowActions={(nic) => <RowMenu items={nicActions(nic, of, { nics: nics.length, edit: setForm })} />}
        empty={{
          icon: <EthernetPort />,
          title: 'No network interfaces',
          body: 'Create a network interface to see it here',
        }}
      />
      {form === 'new' && (
        <NicForm
          project={target.project}
          others={nics.map(({ name, vpcId, subnetId }) => ({ name, vpc: vpcId, subnet: subnetId }))}
          onSubmit={async (nic) => {
            await addNic(target, nic)
            close()
          }}
          onDismiss={close}
        />
      )}
      {typeof form === 'object' && (
        <EditNicForm
          nic={form}
          others={nics.filter(({ id }) => id !== form.id)}
          onSubmit={async (changes) => {
            await updateNic(form, changes)
            close()
          }}
          onDismiss={close}
        />
      )}
    </>
  )
}
