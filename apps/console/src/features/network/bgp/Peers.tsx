import { networkingBgpExported, networkingBgpStatus } from '@purlin/contract/operations/networking/bgp'
import type { Result } from '@purlin/contract/op'
import type { BgpPeerState } from '@purlin/contract/rules/networking'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { FirstOf } from '#/ui/value/FirstOf.tsx'
import { serverNow } from '#/lib/clock.ts'
import { errorMessage } from '#/api/errors.ts'
import { liveMs } from '../words.ts'

type Peer = Result<typeof networkingBgpStatus>[number] & { announced: readonly string[] }

const live = { refetchInterval: liveMs, throwOnError: false } as const
const toneOf = (state: BgpPeerState): BadgeTone =>
  state === 'established' ? 'ok' : state === 'idle' || state === 'active' ? 'danger' : 'busy'

const columns: readonly Column<Peer>[] = [
  { id: 'peer', header: 'peer', mono: true, isRowHeader: true, cell: ({ addr }) => addr },
  {
    id: 'state',
    header: 'state',
    cell: ({ state, problem }) => (
      <span className="inline-flex flex-col gap-1 py-1.5 whitespace-normal">
        <Badge tone={toneOf(state)} dot>
          {state}
        </Badge>
        {problem && <span className="min-w-40 text-secondary">{problem}</span>}
      </span>
    ),
  },
  {
    id: 'since',
    header: 'since',
    cell: ({ stateDurationMillis }) => <DateTime date={new Date(serverNow() - stateDurationMillis)} />,
  },
  { id: 'switch', header: 'switch', mono: true, cell: (one) => one.switch },
  { id: 'port', header: 'port', mono: true, cell: ({ port }) => port ?? <Dash /> },
  { id: 'local', header: 'local ASN', mono: true, cell: ({ localAsn }) => localAsn },
  { id: 'remote', header: 'remote ASN', mono: true, cell: ({ remoteAsn }) => remoteAsn || <Dash /> },
  {
    id: 'announced',
    header: 'announced',
    mono: true,
    cell: ({ announced }) => <FirstOf title="Other networks" items={announced} />,
  },
]

/** The sessions of the switches with their peers, as the switches report them. */
export function Peers() {
  const peers = useQuery({ ...query(networkingBgpStatus, {}), ...live })
  const exported = useQuery({ ...query(networkingBgpExported, {}), ...live }).data?.exports
  return (
    <Card
      flush
      title="Peers"
      description="The sessions of the switches now. Peers are a part of the settings of switch ports."
    >
      {peers.data ? (
        peers.data.length === 0 ? (
          <p className="px-4 py-3 text-secondary">No peers</p>
        ) : (
          <Table
            label="Peers"
            className="rounded-none border-0"
            columns={columns}
            rows={peers.data.map((one) => ({ ...one, announced: exported?.[one.addr] ?? [] }))}
            rowKey={(one) => `${one.switch} ${one.port} ${one.addr}`}
          />
        )
      ) : (
        <div className="px-4 py-3">
          {peers.error ? errorMessage(peers.error) : <Skeleton className="h-2.5 w-40" />}
        </div>
      )}
    </Card>
  )
}
