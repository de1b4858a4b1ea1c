/** Resources that others refer to by id: their names as links. Lists answer most ids at once, views the others. */
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { prefetch, queryClient, type Read } from '#/api/query.ts'
import { ApiError } from '#/api/send.ts'
import { capitalize } from '#/lib/text.ts'
import { Badge } from '#/ui/Badge.tsx'
import { TextLink } from '#/ui/link.tsx'
import { Dash } from '#/ui/PropertiesTable.tsx'
import { Skeleton } from '#/ui/Skeleton.tsx'
import { Truncate } from '#/ui/Truncate.tsx'
import { hrefOf, kinds, lookUpQuery, viewQuery, type Kind, type ViewedKind } from './kinds.ts'
import { networks } from './networks.ts'

// Only the name is used, and that rarely changes.
const minute = 60_000

interface Named {
  id: string
  name: string
  projectId?: string | null | undefined
}
type NamedKind = 'disk' | 'snapshot' | 'image' | 'instance' | 'vpc' | 'vpcSubnet'

/** Where the resources of a kind are looked up. */
interface Lookup {
  kind: Kind | ViewedKind
  /** Lists of the silo are searched as well. */
  isShared?: boolean
  /** An id that is in no list may still exist: the lists may be older than it or incomplete. */
  isMore?: boolean
  /** ms that the lists are good for; the cache's own time unless given */
  staleTime?: number
}
const lookups: Record<NamedKind, Lookup> = {
  disk: { kind: kinds.disk },
  snapshot: { kind: kinds.snapshot },
  // An image may have been given to another project.
  image: { kind: kinds.image, isShared: true, isMore: true },
  // A project may have thousands, and their names do not change.
  instance: { kind: kinds.instance, isMore: true, staleTime: minute },
  vpc: { kind: kinds.vpc, isMore: true },
  vpcSubnet: { kind: networks.vpcSubnet, isMore: true },
}

const hasScreens = (kind: Kind | ViewedKind): kind is Kind => 'section' in kind

const listsOf = ({ kind, isShared, staleTime }: Lookup, project: string) =>
  (hasScreens(kind) ? [{ project }, ...(isShared ? [{}] : [])] : []).map((scope) => ({
    ...(lookUpQuery(kind as Kind, scope) as Read<{ items: Named[]; nextPage?: string | null }>),
    ...(staleTime === undefined ? {} : { staleTime }),
    throwOnError: false,
  }))

/** For the loader of a page with references: reads the lists that name most of them. */
export const prefetchReferences = (project: string, ...to: NamedKind[]): Promise<unknown> =>
  prefetch(...to.flatMap((name) => listsOf(lookups[name], project)))

/** The name of a resource as far as it has been read. */
export function knownName(to: NamedKind, id: string, project: string): string | undefined {
  const pages = listsOf(lookups[to], project).map(({ queryKey }) => queryClient.getQueryData(queryKey))
  const listed = pages.flatMap((page) => page?.items ?? []).find((row) => row.id === id)
  const viewed = queryClient.getQueryData(viewQuery(lookups[to].kind, id).queryKey) as Named | undefined
  return (listed ?? viewed)?.name
}

type Reference =
  | { state: 'loading' }
  | { state: 'found'; resource: Named }
  | { state: 'deleted' }
  | { state: 'unknown' }

/** Finds the resource with an id. */
function useReference(lookup: Lookup, id: string, project: string): Reference {
  const lists = useQueries({ queries: listsOf(lookup, project) })
  const listed = lists.flatMap(({ data }) => data?.items ?? []).find((resource) => resource.id === id)
  const isSettled = lists.every(({ isFetching }) => !isFetching)
  const isWhole = !lookup.isMore && lists.every(({ data }) => data && !data.nextPage)
  const mustAsk = !listed && isSettled && !isWhole
  const viewed = useQuery({
    ...viewQuery(lookup.kind, id),
    staleTime: minute,
    throwOnError: false,
    enabled: mustAsk,
  })
  const resource = listed ?? (viewed.data as Named | undefined)
  if (resource) return { state: 'found', resource }
  if (viewed.error)
    return { state: viewed.error instanceof ApiError && viewed.error.status === 404 ? 'deleted' : 'unknown' }
  return isSettled && !mustAsk ? { state: 'deleted' } : { state: 'loading' }
}

export interface ReferenceProps {
  to: NamedKind
  /** Nothing is referred to without one. */
  id: string | null | undefined
  /** The project of the resource that refers to it. */
  project: string
  /** The badge of a deleted resource: 'Image deleted'. */
  deleted?: string
  /** A name only: panels do not lead to further panels. */
  plain?: boolean
  /** Where the name leads, if not to the page of the resource. */
  hrefOf?: (name: string) => string
}

/**
 * The name of a resource as a link to it; a badge if it is deleted, a dash if there is none or it cannot be read. Of a
 * kind without screens it is the name alone, or the id.
 */
export function Reference({ id, ...props }: ReferenceProps) {
  return id ? <ReferenceTo id={id} {...props} /> : <Dash />
}

function ReferenceTo({ to, id, project, deleted, plain = false, ...link }: ReferenceProps & { id: string }) {
  const lookup = lookups[to]
  const reference = useReference(lookup, id, project)
  if (['deleted', 'unknown'].includes(reference.state) && !hasScreens(lookup.kind))
    return <Truncate text={id} max={14} at="middle" className="mono" />
  switch (reference.state) {
    case 'loading':
      return <Skeleton className="h-2.5 w-24 align-middle" />
    case 'found':
      return (
        <Name lookup={lookup} resource={reference.resource} project={project} plain={plain} link={link} />
      )
    case 'deleted':
      return <Badge>{deleted ?? `${capitalize(lookup.kind.noun)} deleted`}</Badge>
    case 'unknown':
      return <Dash />
  }
}

interface NameProps {
  lookup: Lookup
  resource: Named
  project: string
  plain: boolean
  link: Pick<ReferenceProps, 'hrefOf'>
}

function Name({
  lookup: { kind, isShared },
  resource: { name, projectId },
  project,
  plain,
  link,
}: NameProps) {
  // What is shared may belong to another project by now; its page is there.
  const isElsewhere = isShared === true && Boolean(projectId)
  const owner = useQuery({
    ...viewQuery(kinds.project, projectId ?? ''),
    staleTime: minute,
    throwOnError: false,
    enabled: isElsewhere && !plain,
  })
  const home = isShared ? owner.data?.name : project
  if (!hasScreens(kind))
    return link.hrefOf && !plain ? (
      <TextLink href={link.hrefOf(name)}>{name}</TextLink>
    ) : (
      <Truncate text={name} />
    )
  if (plain || (isElsewhere && home === undefined)) return name as ReactNode
  return <TextLink href={link.hrefOf?.(name) ?? hrefOf(kind, name, { project: home })}>{name}</TextLink>
}
