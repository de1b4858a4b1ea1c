/** Things that others refer to by id: lists answer most ids at once, the rest is asked one by one. */
import { diskList, diskView } from '@purlin/contract/operations/disks'
import { imageList, imageView } from '@purlin/contract/operations/images'
import { snapshotList, snapshotView } from '@purlin/contract/operations/snapshots'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query, type Read } from '../api.ts'
import { ApiError } from '../send.ts'
import { Badge } from '../ui/Badge.tsx'
import { Dash } from '../ui/PropertiesTable.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { lookUpLimit } from './paging.ts'

interface Page<T> {
  items: T[]
  nextPage?: string | null | undefined
}
/** Where things of a kind are looked up. */
export interface Source<T> {
  lists: readonly Read<Page<T>>[]
  one: (id: string) => Read<T>
  /** Whole lists do not prove that a thing is gone: it may be where they do not look. */
  maybeElsewhere?: boolean
}

const all = { limit: lookUpLimit }
/** The lists and views by which a project's things are found. */
export const things = {
  disk: (project: string) => ({
    lists: [query(diskList, { query: { project, ...all } })],
    one: (disk: string) => query(diskView, { params: { disk }, query: {} }),
  }),
  snapshot: (project: string) => ({
    lists: [query(snapshotList, { query: { project, ...all } })],
    one: (snapshot: string) => query(snapshotView, { params: { snapshot }, query: {} }),
  }),
  image: (project: string) => ({
    lists: [query(imageList, { query: { project, ...all } }), query(imageList, { query: all })],
    one: (image: string) => query(imageView, { params: { image }, query: {} }),
    // Demoted to another project, perhaps.
    maybeElsewhere: true,
  }),
}

/** What is known of the thing with an id. */
export type Found<T> = { at: 'asking' } | { at: 'known'; thing: T } | { at: 'gone' } | { at: 'unknown' }

// A name is what is wanted, and that never changes.
const minute = 60_000

/** Finds the thing with an id. */
export function useThing<T extends { id: string }>(
  { lists, one, maybeElsewhere = false }: Source<T>,
  id: string,
): Found<T> {
  const pages = useQueries({ queries: lists.map((list) => ({ ...list, throwOnError: false })) })
  const listed = pages.flatMap(({ data }) => data?.items.filter((item) => item.id === id) ?? [])[0]
  const isSettled = pages.every(({ isFetching }) => !isFetching)
  const isWhole = pages.every(({ data }) => data && !data.nextPage)
  const mustAsk = !listed && isSettled && (maybeElsewhere || !isWhole)
  const asked = useQuery({ ...one(id), staleTime: minute, throwOnError: false, enabled: mustAsk })
  const thing = listed ?? asked.data
  if (thing) return { at: 'known', thing }
  if (asked.error) return { at: isMissing(asked.error) ? 'gone' : 'unknown' }
  return isSettled && !mustAsk ? { at: 'gone' } : { at: 'asking' }
}

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404

/** The thing found, drawn by `children`; a badge if it is gone. */
export function FoundName<T>({
  found,
  gone,
  children,
}: {
  found: Found<T>
  /** 'Image deleted' */
  gone: string
  children: (thing: T) => ReactNode
}) {
  switch (found.at) {
    case 'asking':
      return <Skeleton className="h-2.5 w-24 align-middle" />
    case 'known':
      return children(found.thing)
    case 'gone':
      return <Badge>{gone}</Badge>
    case 'unknown':
      return <Dash />
  }
}
