import { tagList } from '@purlin/contract/operations/lists/tags'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { query } from '#/api/query.ts'
import { typedPair } from './completion.ts'

const most = 12

/** The tags in use that begin as the one that is typed, as they are typed after `tag:`. */
export function useTagPairs(
  kind: string | undefined,
  typed: { key?: string; prefix: string } | undefined,
): readonly string[] {
  const { project }: { project?: string } = useParams({ strict: false })
  // The tags in use are known of one project, and of what a silo has itself.
  const isKnown = project !== undefined || kind === 'project' || kind === 'image'
  const { key, prefix = '' } = typed ?? {}
  const { data } = useQuery({
    ...query(tagList, {
      query: {
        ...(project === undefined ? {} : { project }),
        ...(key === undefined ? {} : { tag: key }),
        prefix,
        limit: most,
      },
    }),
    enabled: typed !== undefined && isKnown,
    throwOnError: false,
    placeholderData: keepPreviousData,
  })
  return typed ? (data?.items ?? []).map(typedPair) : []
}
