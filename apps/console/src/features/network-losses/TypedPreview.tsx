import { vpcPreview } from '@purlin/contract/operations/vpcs/vpc-preview'
import type { Args, Result } from '@purlin/contract/op'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from '#/api/query.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { useDebounced } from '#/resource/list/useDebounced.ts'
import { PreviewProblem, PreviewSkeleton } from './PreviewStates.tsx'

type Body = Args<typeof vpcPreview>['body']

/** The effect of a change of a VPC as it is typed, or why it is not there. */
export function TypedPreview({
  vpc: { project, vpc },
  body,
  children,
}: {
  vpc: VpcTarget
  body: Body
  children: (preview: Result<typeof vpcPreview>) => ReactNode
}) {
  // Typing must not ask for each letter.
  const asked = useDebounced(JSON.stringify(body))
  const typed = asked === '' ? body : (JSON.parse(asked) as Body)
  const { data, error, refetch, isFetching } = useQuery({
    ...query(vpcPreview, { params: { vpc }, query: { project }, body: typed }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    throwOnError: false,
    // The instances may have changed since.
    staleTime: 0,
  })
  if (error) return <PreviewProblem error={error} retry={() => void refetch()} />
  if (!data) return <PreviewSkeleton />
  return <div aria-busy={isFetching}>{children(data)}</div>
}
