import {
  networkingBgpAnnounceSetDelete,
  networkingBgpAnnounceSetList,
  networkingBgpAnnounceSetUpdate,
} from '@purlin/contract/operations/networking/bgp'
import { useQuery } from '@tanstack/react-query'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { roleFor } from '#/resource/kind.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { FirstOf } from '#/ui/value/FirstOf.tsx'
import { CardTable } from '../CardTable.tsx'
import { EditAnnounceSet, NewAnnounceSet } from './AnnounceSetForm.tsx'
import { announcementsQuery, setsQuery, type AnnounceSet } from './queries.ts'

const role = roleFor(networkingBgpAnnounceSetUpdate)
const columns: readonly Column<AnnounceSet>[] = [
  { id: 'name', header: 'name', isRowHeader: true, cell: ({ name }) => name },
  { id: 'networks', header: 'networks', mono: true, cell: ({ id }) => <Networks set={id} /> },
  { id: 'description', header: 'description', cell: ({ description }) => description },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

function Networks({ set }: { set: string }) {
  const { data } = useQuery({ ...announcementsQuery(set), throwOnError: false })
  if (!data) return <Skeleton className="h-2.5 w-24" />
  return <FirstOf title="Other networks" items={data.map(({ network }) => network)} />
}

const actions: readonly Action<AnnounceSet>[] = [
  copyId('announce set'),
  {
    id: 'edit',
    label: 'Edit',
    role,
    dialog: (row, close) => <EditAnnounceSet set={row} onDismiss={close} />,
  },
  {
    id: 'delete',
    label: 'Delete',
    role: roleFor(networkingBgpAnnounceSetDelete),
    isDanger: true,
    confirm: {
      noun: 'announce set',
      verb: 'delete',
      done: 'deleted',
      isDanger: true,
      note: () => 'This fails while a BGP configuration uses it.',
      request: ({ id }) => requestTo(networkingBgpAnnounceSetDelete, { params: { announceSet: id } }),
      // Its networks are not found any more.
      after: () => invalidate(networkingBgpAnnounceSetList),
    },
  },
]

/** The sets of networks that autonomous systems announce. */
export const AnnounceSets = () => (
  <CardTable
    title="Announce sets"
    description="Networks that the switches announce to their peers. Each is in a block of an address lot."
    columns={columns}
    rows={useLoaded(setsQuery)}
    actions={actions}
    add={{
      label: 'New announce set',
      role,
      dialog: (close) => <NewAnnounceSet onDismiss={close} />,
    }}
  />
)
