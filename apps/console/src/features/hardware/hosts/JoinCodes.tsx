import { hostJoinCodeDelete, hostJoinCodeList } from '@purlin/contract/operations/hardware/hosts'
import { countOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { ActionCard } from '../parts/ActionCard.tsx'
import { ShortId } from '../parts/columns.tsx'
import { shortId } from '#/lib/text.ts'
import { host } from './hosts.ts'

type JoinCode = Item<typeof hostJoinCodeList>

const codesQuery = () => ({ ...everyPage(hostJoinCodeList, { query: {} }), throwOnError: false })

const columns: readonly Column<JoinCode>[] = [
  { id: 'id', header: 'id', isRowHeader: true, cell: ({ id }) => <ShortId id={id} /> },
  { id: 'by', header: 'created by', cell: ({ createdBy }) => createdBy ?? <Dash /> },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
  { id: 'expires', header: 'expires', cell: ({ timeExpires }) => <DateTime date={timeExpires} /> },
]

/** The codes that no host has used yet. Nothing while there are none. */
export function JoinCodes() {
  const found = useQuery(codesQuery()).data ?? []
  return (
    <ActionCard
      title={countOf(found.length, 'unused join code')}
      description="One host can join with each until it expires. Codes themselves are not shown again."
      label="Join codes"
      columns={columns}
      rows={found}
      rowKey={({ id }) => id}
      action={{ label: 'Revoke', op: hostJoinCodeDelete, kind: host, onAction: askToRevoke }}
    />
  )
}

function askToRevoke({ id }: JoinCode): void {
  confirmAction({
    modalTitle: 'Revoke join code',
    modalContent: <p>No host can join with it any more. Hosts that have joined are not affected.</p>,
    errorTitle: 'Could not revoke join code',
    actionType: 'danger',
    request: requestTo(hostJoinCodeDelete, { params: { codeId: id } }),
    doAction: async () => {
      await invalidate(hostJoinCodeList)
      showDoneToast('Join code', shortId(id), 'revoked')
    },
  })
}
