import {
  networkingAllowListConfirm,
  networkingAllowListRollBack,
  networkingAllowListUpdate,
  networkingAllowListView,
  networkingInboundIcmpUpdate,
  networkingInboundIcmpView,
} from '@purlin/contract/operations/networking/edge'
import { useState } from 'react'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { RequestButton } from '#/resource/command/RequestButton.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { roleFor, roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { useTakenBack, Waiting } from '../change/Waiting.tsx'
import { addressLot } from '../kinds.ts'
import { ChangeSources } from './ChangeSources.tsx'
import { listQuery, pingsQuery } from './queries.ts'

const fleet = roleScope(addressLot, {})

const waiting = {
  title: 'The former list comes back',
  hint: 'Keep this list once you know that you still reach the console from where you need it.',
  keep: 'Keep this list',
  kept: 'Allowed sources kept',
  takenBack: 'The former list is back',
}
const columns: readonly Column<{ network: string }>[] = [
  { id: 'network', header: 'Network', mono: true, isRowHeader: true, cell: ({ network }) => network },
]

/** The allowed source addresses, and whether pings are answered. */
export function Sources() {
  const list = useLoaded(listQuery)
  const [isChanging, setChanging] = useState(false)
  const { lacks } = useRole(...fleet)
  const role = roleFor(networkingAllowListUpdate)
  const { allowedIps, timeModified, timeRollBack } = list
  useTakenBack(timeRollBack ?? null, 'The change of the allowed sources')
  return (
    <div className="flex flex-col gap-6">
      {timeRollBack && (
        <Waiting
          until={timeRollBack}
          read={listQuery}
          view={networkingAllowListView}
          confirm={requestTo(networkingAllowListConfirm, {})}
          rollBack={requestTo(networkingAllowListRollBack, {})}
          role={roleFor(networkingAllowListConfirm)}
          words={waiting}
        />
      )}
      <Card
        flush
        title="Allowed source addresses"
        description="Only these addresses reach the console and the API."
        actions={
          <Button disabledReason={role && lacks(role)} onClick={() => setChanging(true)}>
            Change
          </Button>
        }
      >
        <p className="px-4 py-3">
          {allowedIps.allow === 'any' ? 'Any address' : `${allowedIps.ips.length} networks`}
          <span className="text-secondary">
            {', since '}
            <DateTime date={timeModified} />
          </span>
        </p>
        {allowedIps.allow === 'list' && (
          <Table
            label="Allowed source addresses"
            className="rounded-none border-0 border-t"
            columns={columns}
            rows={allowedIps.ips.map((network) => ({ network }))}
            rowKey={({ network }) => network}
          />
        )}
      </Card>
      <Pings />
      {isChanging && <ChangeSources onDismiss={() => setChanging(false)} />}
    </div>
  )
}

/** Whether the addresses of the control plane answer pings. */
function Pings() {
  const { enabled } = useLoaded(pingsQuery)
  const { lacks } = useRole(...fleet)
  const role = roleFor(networkingInboundIcmpUpdate)
  return (
    <Card
      title="Pings"
      description="Whether the addresses of the control plane answer pings and other ICMP messages from outside."
      actions={
        <RequestButton
          request={requestTo(networkingInboundIcmpUpdate, { body: { enabled: !enabled } })}
          done={() => ({ content: enabled ? 'Pings are no longer answered' : 'Pings are answered' })}
          errorTitle="Could not change it"
          reload={() => invalidate(networkingInboundIcmpView)}
          disabledReason={role && lacks(role)}
        >
          {enabled ? 'Stop answering' : 'Answer pings'}
        </RequestButton>
      }
    >
      {enabled ? 'Pings are answered.' : 'Pings are not answered.'}
    </Card>
  )
}
