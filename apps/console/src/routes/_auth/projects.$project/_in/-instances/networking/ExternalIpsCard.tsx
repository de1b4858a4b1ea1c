import Globe from 'lucide-react/icons/globe'
import { useState } from 'react'
import { DescriptionCell } from '../../../../../../parts/DescriptionCell.tsx'
import type { ExternalIp } from '../../../../../../parts/instance/externalIps.ts'
import { useLoaded } from '../../../../../../parts/instance/useLoaded.ts'
import { Address } from '../../../../../../parts/network/Address.tsx'
import { attachFloatingIp } from '../../../../../../parts/network/floatingIps.tsx'
import { PoolName } from '../../../../../../parts/network/PoolName.tsx'
import { floatingIpsQuery, poolsQuery } from '../../../../../../parts/network/reads.ts'
import { Badge } from '../../../../../../ui/Badge.tsx'
import { Button } from '../../../../../../ui/Button.tsx'
import { Dash } from '../../../../../../ui/PropertiesTable.tsx'
import { RowMenu } from '../../../../../../ui/RowMenu.tsx'
import type { Column } from '../../../../../../ui/table/columns.ts'
import { TableCard } from '../../../../../../ui/table/TableCard.tsx'
import { Tooltip } from '../../../../../../ui/Tooltip.tsx'
import { externalIpsQuery, nicsQuery } from '../queries.ts'
import {
  attachEphemeralIp,
  ephemeralRefusal,
  externalIpActions,
  floatingRefusal,
  type ChangesOf,
} from './externalIpActions.tsx'
import { AttachEphemeralIpDialog, AttachFloatingIpDialog } from './lazyForms.ts'

const title = 'External IPs'

const columns: readonly Column<ExternalIp>[] = [
  { id: 'ip', header: 'ip', cell: (one) => <AddressCell of={one} /> },
  {
    id: 'kind',
    header: 'Kind',
    tip: 'A floating IP can move to another instance. SNAT only leads out, and only while there is neither an ephemeral nor a floating IP.',
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
      <Tooltip content="What the instance sends out comes from this IP and these ports.">
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
export function ExternalIpsCard({ of }: { of: ChangesOf }) {
  const { target, instance } = of
  const ips = useLoaded(externalIpsQuery(target)).items
  const nics = useLoaded(nicsQuery(target)).items
  const pools = useLoaded(poolsQuery())
  const free = useLoaded(floatingIpsQuery(target.project)).filter(({ instanceId }) => !instanceId)
  const [attaching, setAttaching] = useState<'ephemeral' | 'floating'>()
  const close = () => setAttaching(undefined)
  const buttons = (
    <>
      <Button
        size="small"
        disabledReason={ephemeralRefusal(of, { ips, nics: nics.length, pools: pools.length })}
        onClick={() => setAttaching('ephemeral')}
      >
        Attach ephemeral IP
      </Button>
      <Button
        size="small"
        disabledReason={floatingRefusal(of, { ips, free: free.length })}
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
        rowActions={(one) => <RowMenu items={externalIpActions(one, of)} />}
        empty={{
          icon: <Globe />,
          title: 'No external IPs',
          body: 'Attach an external IP to see it here',
        }}
      />
      {attaching === 'ephemeral' && (
        <AttachEphemeralIpDialog
          pools={pools}
          onSubmit={async (pool) => {
            await attachEphemeralIp(target, pool)
            close()
          }}
          onDismiss={close}
        />
      )}
      {attaching === 'floating' && (
        <AttachFloatingIpDialog
          free={free}
          onSubmit={async (floatingIp) => {
            await attachFloatingIp(floatingIp, instance.id)
            close()
          }}
          onDismiss={close}
        />
      )}
    </>
  )
}
