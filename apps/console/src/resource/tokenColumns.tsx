import type { currentUserAccessTokenList } from '@purlin/contract/operations/access-tokens'
import type { Result } from '@purlin/contract/op'
import { DateTime } from '#/ui/DateTime.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Truncate } from '#/ui/Truncate.tsx'

export type AccessToken = Result<typeof currentUserAccessTokenList>['items'][number]

/** The columns of a list of access tokens. */
export const tokenColumns: readonly Column<AccessToken>[] = [
  {
    id: 'id',
    header: 'ID',
    tip: 'Identifies the token. It is not the secret that programs sign in with.',
    cell: ({ id }) => <Truncate text={id} max={36} at="middle" className="mono" />,
  },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
  {
    id: 'expires',
    header: 'expires',
    cell: ({ timeExpires }) =>
      timeExpires ? <DateTime date={timeExpires} /> : <span className="text-secondary">Never</span>,
  },
]
