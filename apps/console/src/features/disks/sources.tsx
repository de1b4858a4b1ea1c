/** What a disk of a project can be made from besides nothing. */
import { diskList } from '@purlin/contract/operations/disks'
import { imageList } from '@purlin/contract/operations/images'
import { snapshotList } from '@purlin/contract/operations/snapshots'
import { snapshotCan } from '@purlin/contract/rules/states'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Read } from '#/api/query.ts'
import { formatDate, formatSize } from '#/lib/format.ts'
import { errorMessage } from '#/api/errors.ts'
import type { Choice } from '#/ui/field/choices.tsx'
import { everyPage } from '#/api/everyPage.ts'
import type { kinds, Row } from '#/resource/kinds.ts'

/** The images or snapshots to choose from, as they were when the form opened. */
export interface DiskSources {
  choices: readonly Choice[]
  isPending: boolean
  /** Why there are none, or not all. */
  problem: ReactNode
  /** bytes of the one with this id */
  sizeOf: (id: string) => number | undefined
}

const useRows = <T,>(read: Read<T[]>) => useQuery({ ...read, throwOnError: false })

/** The snapshots of a project that are ready, each with the disk it is of. */
export function useSnapshots(project: string): DiskSources {
  const snapshots = useRows(everyPage(snapshotList, { query: { project } }))
  // One list names the disks of all; without it the snapshots are shown by name and date only.
  const disks = useRows(everyPage(diskList, { query: { project } }))
  const nameOf = new Map(disks.data?.map(({ id, name }) => [id, name]))
  const ready = (snapshots.data ?? []).filter(({ state }) => snapshotCan('createDisk', state))
  return {
    choices: ready.map(({ id, name, timeCreated, diskId, size }) => {
      const disk = nameOf.get(diskId)
      const from = disk === undefined ? '' : ` from ${disk}`
      return {
        value: id,
        label: name,
        description: `Created on ${formatDate(timeCreated)}${from} / ${formatSize(size)}`,
      }
    }),
    isPending: snapshots.isPending,
    problem: problemOf(
      'snapshots',
      [snapshots],
      ready.length === 0 && 'There are no snapshots in this project yet',
    ),
    sizeOf: sizeIn(ready),
  }
}

const imageChoice = (image: Row<typeof kinds.image>): Choice => ({
  value: image.id,
  label: image.name,
  description: `${image.os} / ${image.version} / ${formatSize(image.size)} / ${image.projectId ? 'Project' : 'Silo'} image`,
})

/** The images of a project, then those of the silo. */
export function useImages(project: string): DiskSources {
  const own = useRows(everyPage(imageList, { query: { project } }))
  const shared = useRows(everyPage(imageList, { query: {} }))
  const all = [...(own.data ?? []), ...(shared.data ?? [])]
  return {
    choices: all.map(imageChoice),
    isPending: own.isPending || shared.isPending,
    problem: problemOf(
      'images',
      [own, shared],
      all.length === 0 && 'There are no images in this project or silo yet',
    ),
    sizeOf: sizeIn(all),
  }
}

const sizeIn = (rows: readonly { id: string; size: number }[]) => (id: string) =>
  rows.find((row) => row.id === id)?.size

function problemOf(nouns: string, lists: readonly UseQueryResult[], none: string | false): ReactNode {
  const failed = lists.filter(({ error }) => error)
  if (failed.length > 0)
    return (
      <>
        Not all {nouns} could be loaded: {errorMessage(failed[0]?.error)}.{' '}
        <button
          type="button"
          onClick={() => failed.forEach((list) => void list.refetch())}
          className="text-accent-text underline underline-offset-2"
        >
          Try again
        </button>
      </>
    )
  return lists.every(({ isSuccess }) => isSuccess) && none
}
