/** The sources of a disk in a project, other than blank. */
import { snapshotCan, snapshotStates } from '@purlin/contract/rules/states'
import type { ReactNode } from 'react'
import { formatDate, formatSize } from '#/lib/format.ts'
import type { Row } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { Reference } from '#/resource/address/references.tsx'
import { inStates, together, usePicker } from '#/resource/form/usePicker.ts'
import type { Choice } from '#/ui/field/choices.tsx'

/** The images or snapshots to choose from. */
export interface DiskSources {
  /** The data of the form's field. */
  field: ReturnType<typeof usePicker>['field']
  /** Why there are none, or not all. */
  problem: ReactNode
  /** bytes of the one with this id */
  sizeOf: (id: string) => number | undefined
}

/** The value of the form: the id of the chosen source, and whether this kind is selected. */
interface Chosen {
  value: string
  enabled: boolean
}

const ready = inStates(snapshotStates, (state) => snapshotCan('createDisk', state))

/** The snapshots of a project that are ready, each with the disk it is of. */
export function useSnapshots(project: string, chosen: Chosen): DiskSources {
  const snapshots = usePicker(kinds.snapshot, {
    scope: { project },
    ...chosen,
    by: 'id',
    filter: ready,
    fits: ({ state }) => snapshotCan('createDisk', state),
    choice: ({ timeCreated, diskId, size }) => ({
      description: (
        <>
          Created on {formatDate(timeCreated)} from{' '}
          <Reference to="disk" id={diskId} project={project} plain /> / {formatSize(size)}
        </>
      ),
    }),
  })
  return {
    field: snapshots.field,
    problem: <Problem lists={[snapshots]} none="There are no snapshots in this project yet" />,
    sizeOf: sizeIn([...snapshots.rows, snapshots.chosen]),
  }
}

/** The images of a project, then those of the silo. */
export function useImages(project: string, chosen: Chosen): DiskSources {
  const shared = { ...chosen, by: 'id' as const, choice: imageChoice }
  const own = usePicker(kinds.image, { scope: { project }, ...shared })
  const ofSilo = usePicker(kinds.image, { scope: {}, ...shared })
  return {
    field: together(own.field, ofSilo.field),
    problem: <Problem lists={[own, ofSilo]} none="There are no images in this project or silo yet" />,
    sizeOf: sizeIn([...own.rows, ...ofSilo.rows, own.chosen]),
  }
}

const imageChoice = (image: Row<typeof kinds.image>): Omit<Choice, 'value' | 'label'> => ({
  description: `${image.os} / ${image.version} / ${formatSize(image.size)} / ${image.projectId ? 'Project' : 'Silo'} image`,
})

const sizeIn = (rows: readonly ({ id: string; size: number } | undefined)[]) => (id: string) =>
  rows.find((row) => row?.id === id)?.size

interface ProblemProps {
  lists: readonly Pick<ReturnType<typeof usePicker>, 'problem' | 'retry' | 'isEmpty'>[]
  none: string
}

function Problem({ lists, none }: ProblemProps) {
  const failed = lists.filter(({ problem }) => problem)
  if (failed.length === 0) return lists.every(({ isEmpty }) => isEmpty) && none
  return (
    <>
      {failed[0]?.problem}.{' '}
      <button
        type="button"
        onClick={() => failed.forEach((list) => list.retry())}
        className="text-accent-text underline underline-offset-2"
      >
        Try again
      </button>
    </>
  )
}
