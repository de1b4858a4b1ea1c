import { userTokenList } from '@purlin/contract/operations/access/access-tokens'
import { userLogout, userSessionList } from '@purlin/contract/operations/access/users'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { invalidate, query } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

interface Session {
  id: string
  timeCreated: Date
  timeLastUsed: Date
}
const columns: readonly Column<Session>[] = [
  { id: 'created', header: 'signed in', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
  {
    id: 'used',
    header: 'last used',
    cell: ({ timeLastUsed }) => <DateTime date={timeLastUsed} />,
    tip: 'Stored about once a minute',
  },
]

/** The sessions of a user, for the user and admins of the silo. `lacks`: why they are not shown. */
export function Sessions({ user, name, lacks }: { user: string; name: string; lacks: string | undefined }) {
  const params = { userId: user }
  const { data, error } = useQuery({
    ...query(userSessionList, { params, query: { limit: 100 } }),
    enabled: lacks === undefined,
    throwOnError: false,
  })
  const end = () =>
    confirmAction({
      modalTitle: 'Sign out everywhere',
      modalContent: (
        <p>
          All sessions and access tokens of <Highlight>{name}</Highlight> end immediately. Anyone who has the
          password can sign in again.
        </p>
      ),
      errorTitle: 'Could not end the sessions',
      actionType: 'danger',
      doAction: async () => {
        await send(userLogout, { params })
        await invalidate(userSessionList, userTokenList)
        addToast({ title: 'Sessions ended', content: <>{name} is signed out everywhere</> })
      },
    })
  if (lacks) return <Notice>{lacks}</Notice>
  if (error && !data) return <Notice>Could not load the sessions: {errorMessage(error)}</Notice>
  const rows = data?.items ?? []
  return (
    <div className="flex flex-col gap-3">
      {data && rows.length === 0 ? (
        <p className="text-secondary">{name} is not signed in.</p>
      ) : (
        <Table label="Sessions" columns={columns} rows={rows} rowKey={({ id }) => id} skeletonRows={1} />
      )}
      <div>
        <Button
          variant="danger"
          onClick={end}
          disabledReason={rows.length === 0 ? `${name} is not signed in` : undefined}
        >
          Sign out everywhere
        </Button>
      </div>
    </div>
  )
}
