import { useQuery } from '@tanstack/react-query'
import { membersQuery } from './queries.ts'
import { Dash } from '#/ui/value/Dash.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'

/** How many members a group has. It comes after the row, and if it cannot be read the row still stands. */
export function MemberCount({ groupId }: { groupId: string }) {
  // By id: a row with an old name, still on show after a change, asks for what is there.
  const members = membersQuery({ antiAffinityGroup: groupId })
  const { data, isPending } = useQuery({ ...members, throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-4 align-middle" />
  if (!data) return <span className="text-secondary">unknown</span>
  return data.items.length === 0 ? <Dash /> : <span className="mono">{data.items.length}</span>
}
