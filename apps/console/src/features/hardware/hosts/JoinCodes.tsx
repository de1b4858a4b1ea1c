import { hostJoinCodeDelete, hostJoinCodeList } from '@purlin/contract/operations/hardware/hosts'
import { countOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { roleFor, roleScope } from '#/resource/kind.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { ShortId } from '../parts/columns.tsx'
import { shortId } from '../parts/words.ts'
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
  const { lacks } = useRole(...roleScope(host, {}))
  const role = roleFor(hostJoinCodeDelete)
  const disabledReason = role && lacks(role)
  if (found.length === 0) return null
  return (
    <Card
      flush
      className="mb-4"
      title={countOf(found.length, 'unused join code')}
      description="One host can join with each until it expires. Codes themselves are not shown again."
    >
      <Table
        label="Join codes"
        className="rounded-none border-0"
        columns={columns}
        rows={found}
        rowKey={({ id }) => id}
        actions={(row) => (
          <Button size="small" disabledReason={disabledReason} onClick={() => askToRevoke(row)}>
            Revoke
          </Button>
        )}
      />
    </Card>
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
