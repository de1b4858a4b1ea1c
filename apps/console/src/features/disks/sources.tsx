/** The sources of a disk in a project, other than blank. */
import { snapshotCan, snapshotStates } from '@purlin/contract/rules/states'
import type { ReactNode } from 'react'
import { formatDate, formatSize } from '#/lib/format.ts'
import type { Row } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { HowToGet } from '#/resource/form/Missing.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { paths, sections } from '#/lib/addresses.ts'
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
    problem: (
      <Problem lists={[snapshots]}>
        There are no snapshots in this project yet.{' '}
        <HowToGet noun="snapshot" project={project}>
          <TextLink href={sections.snapshot.create(project)}>Take one of a disk</TextLink> first.
        </HowToGet>
      </Problem>
    ),
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
    problem: (
      <Problem lists={[own, ofSilo]}>
        There are no images in this project or silo yet.{' '}
        <HowToGet noun="image" project={project}>
          <TextLink href={paths.imageImport(project)}>Import an image</TextLink> first.
        </HowToGet>
      </Problem>
    ),
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
  /** Said where the lists are empty. */
  children: ReactNode
}

function Problem({ lists, children }: ProblemProps) {
  const failed = lists.filter(({ problem }) => problem)
  if (failed.length === 0) return lists.every(({ isEmpty }) => isEmpty) && children
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
