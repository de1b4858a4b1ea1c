import { instanceList, instanceView } from '@purlin/contract/operations/instances'
import { useQuery } from '@tanstack/react-query'
import { load, query, queryClient, remember } from '../../../../../api.ts'
import { pickerLimit } from '../../../../../parts/paging.ts'
import { paths } from '../../../../../paths.ts'
import { TextLink } from '../../../../../ui/link.tsx'
import { Dash } from '../../../../../ui/PropertiesTable.tsx'
import { Skeleton } from '../../../../../ui/Skeleton.tsx'
import type { Disk } from './-diskActions.tsx'

// A name is what is wanted, and that rarely changes.
const minute = 60_000
const byId = (instance: string) => ({ params: { instance }, query: {} })

/** One call that answers what most cells ask for; the rest ask one by one. */
export async function prefetchInstanceNames(project: string): Promise<void> {
  const list = { ...query(instanceList, { query: { project, limit: pickerLimit } }), staleTime: minute }
  const page = await load(list).catch(() => undefined)
  for (const instance of page?.items ?? []) {
    // A newer answer about this instance is not to be covered by the list's.
    const { queryKey } = query(instanceView, byId(instance.id))
    if (queryClient.getQueryData(queryKey) === undefined) remember(instanceView, byId(instance.id), instance)
  }
}

/** The instance a disk is attached to, as a link; a dash if it is free. */
export function AttachedTo({ project, state }: { project: string; state: Disk['state'] }) {
  if (!('instance' in state)) return <Dash />
  return <InstanceName project={project} id={state.instance} />
}

function InstanceName({ project, id }: { project: string; id: string }) {
  const { data, isPending } = useQuery({
    ...query(instanceView, byId(id)),
    staleTime: minute,
    throwOnError: false,
  })
  if (isPending) return <Skeleton className="h-2.5 w-24 align-middle" />
  if (!data) return <Dash />
  return <TextLink href={paths.instance({ project, instance: data.name })}>{data.name}</TextLink>
}
