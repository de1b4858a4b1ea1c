import { userTokenList } from '@purlin/contract/operations/access/access-tokens'
import { accessTokensOfUser } from '@purlin/contract/rules/counts'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { query } from '#/api/query.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Table } from '#/ui/table/Table.tsx'
import { tokenColumns } from '#/resource/list/tokenColumns.tsx'

/** The access tokens of a user, for the user and admins of the silo. `lacks`: why they are not shown. */
export function AccessTokens({
  user,
  name,
  lacks,
}: {
  user: string
  name: string
  lacks: string | undefined
}) {
  const { data, error } = useQuery({
    ...query(userTokenList, { params: { userId: user }, query: { limit: accessTokensOfUser } }),
    enabled: lacks === undefined,
    throwOnError: false,
  })
  if (lacks) return <Notice>{lacks}</Notice>
  if (error && !data) return <Notice>Could not load the access tokens: {errorMessage(error)}</Notice>
  if (data?.items.length === 0) return <p className="text-secondary">{name} has no access tokens.</p>
  return (
    <div className="flex flex-col gap-2">
      <Table
        label="Access tokens"
        columns={tokenColumns}
        rows={data?.items ?? []}
        rowKey={({ id }) => id}
        skeletonRows={1}
      />
      <p className="text-secondary">They end with the sessions when the user is signed out everywhere.</p>
    </div>
  )
}
