import { useQuery } from '@tanstack/react-query'
import type { Read } from '../../../../../../api.ts'
import { Skeleton } from '../../../../../../ui/Skeleton.tsx'
import { Truncate } from '../../../../../../ui/Truncate.tsx'

/** The name of a network that is known by its id; the id, if the name cannot be read. */
export function NameOf({ read, id }: { read: Read<{ name: string }>; id: string }) {
  const { data, isPending } = useQuery({ ...read, throwOnError: false })
  if (isPending) return <Skeleton className="h-3 w-20" />
  return data ? <Truncate text={data.name} /> : <Truncate text={id} max={14} at="middle" className="mono" />
}
