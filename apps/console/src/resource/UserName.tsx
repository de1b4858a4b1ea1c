import { userView } from '@purlin/contract/operations/silos/silos'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'

/** The name of a user of the silo, by id. */
export function UserName({ userId }: { userId: string }) {
  const { data, isPending } = useQuery({ ...query(userView, { params: { userId } }), throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-24 align-middle" />
  return data?.displayName ?? <Badge>User deleted</Badge>
}
