import type { receiverList } from '@purlin/contract/operations/alerts/receivers'
import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { pageOf } from '#/resource/address/pageOf.ts'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { createdColumn } from '#/resource/list/columns.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { isBy, receiver, type Receiver } from '../kinds.ts'
import { receiverActions } from './actions.tsx'
import { placeOf, ways } from './ways.ts'

export const Route = createFileRoute('/_auth/system/alerts/_tabs/_receivers')({
  ...listRoute({ title: 'Receivers', section: sections.alertReceiver }),
  loader: (match) => loadList(receivers, match),
  component: () => <ResourceList list={receivers} />,
})

const receivers: ListOf<typeof receiverList> = {
  kind: receiver,
  isTab: true,
  create: { label: 'New receiver' },
  emptyBody:
    'A receiver gets the alerts that it subscribes to. Create one to hear of trouble elsewhere than here.',
  actions: () => receiverActions(),
  columns: () => [
    {
      id: 'name',
      header: 'name',
      cell: ({ name }: Receiver) => <CellLink href={pageOf('alertReceiver', { name })}>{name}</CellLink>,
    },
    {
      id: 'kind',
      header: 'kind',
      cell: (one: Receiver) => (
        <span className="inline-flex gap-1">
          {ways[one.kind.kind].label}
          {isBy('email', one) && one.kind.problem !== null && <Badge tone="danger">not set up</Badge>}
        </span>
      ),
    },
    {
      id: 'to',
      header: 'sent to',
      mono: true,
      cell: (one: Receiver) => (
        <span className="inline-block min-w-60 wrap-anywhere whitespace-normal">{placeOf(one)}</span>
      ),
    },
    {
      id: 'subscriptions',
      header: 'subscriptions',
      cell: ({ subscriptions }: Receiver) =>
        subscriptions.length === 0 ? (
          <Dash />
        ) : (
          <span className="inline-flex flex-wrap gap-1 py-1">
            {subscriptions.map((one) => (
              <Badge key={one}>{one}</Badge>
            ))}
          </span>
        ),
    },
    createdColumn,
  ],
}
