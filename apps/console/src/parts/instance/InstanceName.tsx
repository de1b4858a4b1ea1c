import { instanceList, instanceView } from '@purlin/contract/operations/instances'
import { useQuery } from '@tanstack/react-query'
import { load, query, queryClient, remember } from '../../api.ts'
import { paths, type InstanceTab } from '../../paths.ts'
import { TextLink } from '../../ui/link.tsx'
import { Dash } from '../../ui/PropertiesTable.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { lookUpLimit } from '../paging.ts'

// A name is what is wanted, and that rarely changes.
const minute = 60_000
const byId = (instance: string) => ({ params: { instance }, query: {} })
const viewOf = (id: string) => query(instanceView, byId(id))

/** One call that answers what most cells ask for; the rest ask one by one. */
export async function prefetchInstanceNames(project: string): Promise<void> {
  const list = { ...query(instanceList, { query: { project, limit: lookUpLimit } }), staleTime: minute }
  const page = await load(list).catch(() => undefined)
  for (const instance of page?.items ?? []) {
    // A newer answer about this instance is not to be covered by the list's.
    if (knownInstanceName(instance.id) === undefined) remember(instanceView, byId(instance.id), instance)
  }
}

/** The name of an instance as far as it has been read. */
export const knownInstanceName = (id: string): string | undefined =>
  queryClient.getQueryData(viewOf(id).queryKey)?.name

/** An instance by its id, as a link to a tab of its page; a dash if it cannot be read. */
export function InstanceName({
  project,
  id,
  tab = 'storage',
}: {
  project: string
  id: string
  tab?: InstanceTab
}) {
  const { data, isPending } = useQuery({ ...viewOf(id), staleTime: minute, throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-24 align-middle" />
  if (!data) return <Dash />
  return <TextLink href={paths.instanceTab({ project, instance: data.name }, tab)}>{data.name}</TextLink>
}
