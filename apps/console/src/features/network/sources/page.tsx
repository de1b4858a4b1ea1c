import {
  networkingAllowListConfirm,
  networkingAllowListUpdate,
  networkingAllowListView,
  networkingInboundIcmpUpdate,
  networkingInboundIcmpView,
} from '@purlin/contract/operations/networking/edge'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { invalidate, load, query } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { networkTabs } from '#/lib/addresses.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { roleFor, roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { Card } from '#/ui/layout/Card.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { useNow } from '#/ui/value/useNow.ts'
import { addressLot } from '../kinds.ts'
import { ChangeSources } from './ChangeSources.tsx'

const fleet = roleScope(addressLot, {})
const listQuery = query(networkingAllowListView, {})
const pingsQuery = query(networkingInboundIcmpView, {})

export const Route = createFileRoute('/_auth/system/networking/_network/_tabs/allowed-sources')({
  loader: () => Promise.all([load(listQuery), load(pingsQuery)]),
  staticData: { crumb: { label: 'Allowed Sources', to: () => networkTabs[2].href } },
  component: Sources,
})

const columns: readonly Column<{ network: string }>[] = [
  { id: 'network', header: 'Network', mono: true, isRowHeader: true, cell: ({ network }) => network },
]

function Sources() {
  const list = useLoaded(listQuery)
  const [isChanging, setChanging] = useState(false)
  const { lacks } = useRole(...fleet)
  const role = roleFor(networkingAllowListUpdate)
  const { allowedIps, timeModified, timeRollBack } = list
  return (
    <div className="flex flex-col gap-6">
      {timeRollBack && <Unconfirmed until={timeRollBack} />}
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
      {isChanging && <ChangeSources list={list} onDismiss={() => setChanging(false)} />}
    </div>
  )
}

/** Says when the former list counts again, and keeps the present one. */
function Unconfirmed({ until }: { until: Date }) {
  const seconds = Math.max(0, Math.ceil((until.getTime() - useNow(true)) / 1000))
  const { lacks } = useRole(...fleet)
  const role = roleFor(networkingAllowListConfirm)
  // The former list comes back by itself.
  useQuery({ ...listQuery, refetchInterval: seconds === 0 ? 2000 : false, throwOnError: false })
  const keep = async () => {
    try {
      await send(networkingAllowListConfirm, {})
      addToast({ content: 'Allowed sources kept' })
    } catch (error) {
      addToast({ variant: 'error', title: 'Could not keep the list', content: errorMessage(error) })
    }
    await invalidate(networkingAllowListView)
  }
  return (
    <Notice title={<span role="timer">{`The former list comes back in ${seconds} s`}</span>}>
      <p className="mb-2 text-secondary">
        Keep this list once you know that you still reach the console from where you need it.
      </p>
      <Button size="small" variant="primary" disabledReason={role && lacks(role)} onClick={() => void keep()}>
        Keep this list
      </Button>
    </Notice>
  )
}

/** Whether the addresses of the control plane answer pings. */
function Pings() {
  const { enabled } = useLoaded(pingsQuery)
  const [isPending, setPending] = useState(false)
  const { lacks } = useRole(...fleet)
  const role = roleFor(networkingInboundIcmpUpdate)
  const change = async () => {
    setPending(true)
    try {
      await send(networkingInboundIcmpUpdate, { body: { enabled: !enabled } })
      addToast({ content: enabled ? 'Pings are no longer answered' : 'Pings are answered' })
    } catch (error) {
      addToast({ variant: 'error', title: 'Could not change it', content: errorMessage(error) })
    }
    await invalidate(networkingInboundIcmpView)
    setPending(false)
  }
  return (
    <Card
      title="Pings"
      description="Whether the addresses of the control plane answer pings and other ICMP messages from outside."
      actions={
        <Button disabledReason={role && lacks(role)} pending={isPending} onClick={() => void change()}>
          {enabled ? 'Stop answering' : 'Answer pings'}
        </Button>
      }
    >
      {enabled ? 'Pings are answered.' : 'Pings are not answered.'}
    </Card>
  )
}
