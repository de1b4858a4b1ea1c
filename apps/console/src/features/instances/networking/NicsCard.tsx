import EthernetPort from 'lucide-react/icons/ethernet-port'
import { useState } from 'react'
import { DescriptionCell } from '#/resource/list/DescriptionCell.tsx'
import { useActions } from '#/resource/actions/actions.tsx'
import { Reference } from '#/resource/address/references.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { Address } from '#/ui/value/Address.tsx'
import { LossesOf, lossesOf } from '#/features/network-losses/losses.tsx'
import { ReferencesOf } from '#/features/network-losses/references.tsx'
import { paths, type VpcTarget } from '#/lib/addresses.ts'
import { vpcsQuery, type Vpc } from '#/features/vpc-names/queries.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { MoreCell } from '#/ui/table/MoreCell.tsx'
import { TableCard } from '#/ui/table/TableCard.tsx'
import { nicsQuery } from '#/features/instances/queries.ts'
import type { InstanceOf } from './externalIpActions.tsx'
import { EditNicForm, NicForm } from './lazyForms.ts'
import { addNic, addNicDisabledReason, nicActions, nicRequest, type Nic } from './nicActions.tsx'

const title = 'Network interfaces'

const columns = (project: string, vpcs: readonly Vpc[]): readonly Column<Nic>[] => [
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
  { id: 'vpc', header: 'vpc', cell: ({ vpcId }) => <Reference to="vpc" id={vpcId} project={project} /> },
  {
    id: 'subnet',
    header: 'subnet',
    cell: ({ vpcId, subnetId }) => {
      const vpc = vpcs.find(({ id }) => id === vpcId)?.name ?? vpcId
      return (
        <Reference
          to="vpcSubnet"
          id={subnetId}
          project={project}
          hrefOf={() => paths.subnet({ project, vpc }, subnetId)}
        />
      )
    },
  },
  {
    id: 'transit',
    header: 'Transit IPs',
    mono: true,
    cell: ({ transitIps }) =>
      transitIps.length === 0 ? <Dash /> : <MoreCell title="Other transit IPs" items={transitIps} />,
  },
]

/** The effects of deleting an interface on its VPC. */
async function deletionNote({ id }: Nic, vpc: VpcTarget) {
  const losses = await lossesOf(vpc, { type: 'delete_interface', id })
  return (
    <>
      <p>Its private address goes back to the subnet.</p>
      <ReferencesOf losses={losses} vpc={vpc} />
      <LossesOf losses={losses} />
    </>
  )
}

/** The interfaces of an instance to the project's networks. */
export function NicsCard({ target, instance }: InstanceOf) {
  const nics = useLoaded(nicsQuery(target)).items
  const vpcs = useLoaded(vpcsQuery(target.project))
  const [isAdding, setAdding] = useState(false)
  const { lacks } = useRole(target.project)
  const edit = (nic: Nic, close: () => void) => (
    <EditNicForm target={target} nic={nic} others={nics.filter(({ id }) => id !== nic.id)} onDone={close} />
  )
  const vpcOf = ({ vpcId }: Nic) => ({
    project: target.project,
    vpc: vpcs.find((one) => one.id === vpcId)?.name ?? vpcId,
  })
  const traceHref = (nic: Nic) => {
    const isAlone = nics.filter(({ vpcId }) => vpcId === nic.vpcId).length === 1
    return paths.vpcTrace(vpcOf(nic), { from: isAlone ? instance.name : nic.id })
  }
  const lossNote = (nic: Nic) => deletionNote(nic, vpcOf(nic))
  const actions = nicActions(instance, { nics: nics.length, edit, traceHref, lossNote })
  const { menu, dialog } = useActions(actions, target)
  const add = (
    <Button
      size="small"
      disabledReason={lacks('collaborator') ?? addNicDisabledReason(instance, nics.length)}
      onClick={() => setAdding(true)}
    >
      Add network interface
    </Button>
  )
  return (
    <>
      <TableCard
        title={title}
        buttons={add}
        columns={columns(target.project, vpcs)}
        rows={nics}
        rowKey={({ id }) => id}
        rowActions={(nic) => <RowMenu items={menu(nic)} />}
        empty={{
          icon: <EthernetPort />,
          title: 'No network interfaces',
          body: 'Without a network interface, the instance is in no network. Add one while it is stopped.',
        }}
      />
      {isAdding && (
        <NicForm
          project={target.project}
          others={nics.map(({ name, vpcId, subnetId }) => ({ name, vpc: vpcId, subnet: subnetId }))}
          onSubmit={async (nic) => {
            await addNic(target, nic)
            setAdding(false)
          }}
          request={(nic) => nicRequest(target, nic)}
          onDismiss={() => setAdding(false)}
        />
      )}
      {dialog}
    </>
  )
}
