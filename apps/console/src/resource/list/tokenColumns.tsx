import type { currentUserAccessTokenList } from '@purlin/contract/operations/access/access-tokens'
import type { Result } from '@purlin/contract/op'
import { countOf } from '@purlin/contract/rules/kinds'
import { Badge } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { useNow } from '#/ui/value/useNow.ts'

export type AccessToken = Result<typeof currentUserAccessTokenList>['items'][number]

const never = <span className="text-secondary">Never</span>

const id: Column<AccessToken> = {
  id: 'id',
  header: 'ID',
  isRowHeader: true,
  tip: 'Identifies the token. It is not the secret that programs sign in with.',
  cell: (token) => <Truncate text={token.id} max={18} at="middle" className="mono" />,
}
const times: readonly Column<AccessToken>[] = [
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
  {
    id: 'expires',
    header: 'expires',
    cell: ({ timeExpires }) => (timeExpires ? <Expires at={timeExpires} /> : never),
  },
]

/** The columns of a list of access tokens or SCIM tokens. */
export const tokenColumns: readonly Column<AccessToken>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ name }) => (name ? <Truncate text={name} max={32} /> : <Dash />),
  },
  id,
  ...times,
  {
    id: 'used',
    header: 'last used',
    tip: 'To the minute.',
    cell: ({ timeLastUsed }) => (timeLastUsed ? <DateTime date={timeLastUsed} /> : never),
  },
]

const dayMs = 24 * 60 * 60_000
/** Days before its end from which on it is said how long a token lasts. */
const soonDays = 7

/** When a token ends, and in how many days if that is soon. */
export function Expires({ at }: { at: Date }) {
  const left = at.getTime() - useNow(false)
  const days = Math.floor(left / dayMs)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <DateTime date={at} />
      {left <= 0 && <Badge tone="danger">expired</Badge>}
      {left > 0 && days < soonDays && (
        <Badge tone="warn">{days < 1 ? 'within a day' : `in ${countOf(days, 'day')}`}</Badge>
      )}
    </span>
  )
}
