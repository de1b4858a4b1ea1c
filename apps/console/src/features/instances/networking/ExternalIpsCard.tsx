import Globe from 'lucide-react/icons/globe'
import { useState } from 'react'
import { DescriptionCell } from '#/resource/list/DescriptionCell.tsx'
import { inOrder, type ExternalIp } from '#/features/external-ips/externalIps.ts'
import { useActions } from '#/resource/actions/actions.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { Address } from '#/ui/value/Address.tsx'
import { attachFloatingIp, attachRequest } from '#/features/floating-ips/floatingIps.tsx'
import { PoolName } from '#/features/ip-pools/PoolName.tsx'
import { useFreeFloatingIps } from '#/features/floating-ips/useFreeFloatingIps.ts'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { TableCard } from '#/ui/table/TableCard.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import { externalIpsQuery, nicsQuery } from '#/features/instances/queries.ts'
import {
  attachEphemeralIp,
  ephemeralDisabledReason,
  ephemeralRequest,
  externalIpActions,
  floatingDisabledReason,
  type InstanceOf,
} from './externalIpActions.tsx'
import { AttachEphemeralIpDialog, AttachFloatingIpDialog } from './lazyForms.ts'

const title = 'External IPs'

const columns: readonly Column<ExternalIp>[] = [
  { id: 'ip', header: 'ip', cell: (one) => <AddressCell of={one} /> },
  {
    id: 'kind',
    header: 'Kind',
    tip: 'A floating IP can be moved to another instance. SNAT is for outgoing traffic only, and is used while there is no ephemeral or floating IP.',
    cell: ({ kind }) => <Badge>{kind}</Badge>,
  },
  { id: 'pool', header: 'IP pool', cell: ({ ipPoolId }) => <PoolName id={ipPoolId} /> },
  { id: 'name', header: 'name', cell: (one) => (one.kind === 'floating' ? one.name : <Nameless of={one} />) },
  {
    id: 'description',
    header: 'description',
    cell: (one) =>
      one.kind === 'floating' ? <DescriptionCell text={one.description} /> : <Nameless of={one} />,
  },
]

function AddressCell({ of }: { of: ExternalIp }) {
  if (of.kind !== 'snat') return <Address ip={of.ip} />
  return (
    <span className="inline-flex items-center gap-2">
      <Address ip={of.ip} />
      <Tooltip content="Outgoing traffic of the instance uses this IP and these ports.">
        <Badge>
          {of.firstPort}–{of.lastPort}
        </Badge>
      </Tooltip>
    </span>
  )
}

function Nameless({ of: { kind } }: { of: ExternalIp }) {
  return (
    <Tooltip
      content={`${kind === 'snat' ? 'SNAT' : 'Ephemeral'} IPs don't have names or descriptions`}
      describes={false}
    >
      <Dash />
    </Tooltip>
  )
}

/** The addresses of an instance that the outside knows. */
export function ExternalIpsCard(of: InstanceOf) {
  const { target, instance } = of
  const ips = inOrder(useLoaded(externalIpsQuery(target)).items)
  const nics = useLoaded(nicsQuery(target)).items
  const pools = useLoaded(poolsQuery())
  const free = useFreeFloatingIps(target.project, { value: '' })
  const { lacks } = useRole(target.project)
  const { menu, dialog } = useActions(externalIpActions(of), target)
  const [attaching, setAttaching] = useState<'ephemeral' | 'floating'>()
  const close = () => setAttaching(undefined)
  const buttons = (
    <>
      <Button
        size="small"
        disabledReason={
          lacks('collaborator') ?? ephemeralDisabledReason(instance, { ips, nics: nics.length })
        }
        onClick={() => setAttaching('ephemeral')}
      >
        Attach ephemeral IP
      </Button>
      <Button
        size="small"
        disabledReason={
          lacks('collaborator') ?? floatingDisabledReason(instance, { ips, free: free.isEmpty ? 0 : 1 })
        }
        onClick={() => setAttaching('floating')}
      >
        Attach floating IP
      </Button>
    </>
  )
  return (
    <>
      <TableCard
        title={title}
        buttons={buttons}
        columns={columns}
        rows={ips}
        rowKey={({ kind, ip }) => `${kind} ${ip}`}
        rowActions={(one) => <RowMenu items={menu(one)} />}
        empty={{
          icon: <Globe />,
          title: 'No external IPs',
          body: 'Without an external IP, the instance is not reachable from outside of its VPC.',
        }}
      />
      {dialog}
      {attaching === 'ephemeral' && (
        <AttachEphemeralIpDialog
          pools={pools}
          onSubmit={async (pool) => {
            await attachEphemeralIp(target, pool)
            close()
          }}
          request={(pool) => ephemeralRequest(target, pool)}
          onDismiss={close}
        />
      )}
      {attaching === 'floating' && (
        <AttachFloatingIpDialog
          project={target.project}
          onSubmit={async (floatingIp) => {
            await attachFloatingIp(floatingIp, instance.id)
            close()
          }}
          request={(floatingIp) => ({
            ...attachRequest(floatingIp, instance.id),
            names: { project: target.project, instance: instance.name },
          })}
          onDismiss={close}
        />
      )}
    </>
  )
}
