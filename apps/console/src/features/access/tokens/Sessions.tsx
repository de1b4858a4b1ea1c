import { userTokenList } from '@purlin/contract/operations/access/access-tokens'
import { userLogout, userSessionDelete, userSessionList } from '@purlin/contract/operations/access/users'
import { useQuery } from '@tanstack/react-query'
import Bowser from 'bowser'
import { type Item } from '#/api/everyPage.ts'
import { errorMessage } from '#/api/errors.ts'
import { invalidate, query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { shorten } from '#/lib/text.ts'
import { Button } from '#/ui/button/Button.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

type Session = Item<typeof userSessionList>

/** 'Firefox on Linux'; the beginning of what a program calls itself; undefined if it does not. */
function clientName(userAgent: string | null | undefined): string | undefined {
  if (!userAgent) return undefined
  const { browser, os } = Bowser.parse(userAgent)
  if (!browser.name) return shorten(userAgent, 40)
  return os.name ? `${browser.name} on ${os.name}` : browser.name
}

const columns: readonly Column<Session>[] = [
  {
    id: 'client',
    header: 'browser',
    cell: ({ userAgent, current }) => (
      <span className="flex flex-wrap items-center gap-2" title={userAgent ?? undefined}>
        {clientName(userAgent) ?? 'Unknown'}
        {current && <Badge>This session</Badge>}
      </span>
    ),
  },
  { id: 'address', header: 'address', cell: ({ address }) => <span className="mono">{address}</span> },
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
  const endOne = ({ id, current, userAgent, address }: Session) =>
    confirmAction({
      modalTitle: 'End session',
      modalContent: (
        <p>
          The session of <Highlight>{clientName(userAgent) ?? name}</Highlight>
          {address && (
            <>
              {' '}
              at <Highlight>{address}</Highlight>
            </>
          )}{' '}
          ends immediately.{current ? ' You are signed out here.' : ''}
        </p>
      ),
      errorTitle: 'Could not end the session',
      actionType: 'danger',
      request: requestTo(userSessionDelete, { params: { ...params, sessionId: id } }),
      doAction: async () => {
        await invalidate(userSessionList)
        addToast({ content: 'Session ended' })
      },
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
      request: requestTo(userLogout, { params }),
      doAction: async () => {
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
        <Table
          label="Sessions"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          skeletonRows={1}
          actions={(row) => (
            <RowMenu items={[{ label: 'End session', danger: true, onAction: () => endOne(row) }]} />
          )}
        />
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
