import { diskList, diskView } from '@purlin/contract/operations/storage/disks'
import { projectView } from '@purlin/contract/operations/projects/projects'
import { diskStates } from '@purlin/contract/rules/states'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { query } from '#/api/query.ts'
import { sendIfThere } from '#/api/send.ts'
import type { Disk } from '#/features/disks/disks.tsx'
import { importActions } from '#/features/disks/imports/importActions.tsx'
import { isImporting, uploadOf } from '#/features/disks/imports/imports.ts'
import { lockedDisks, records } from '#/features/disks/imports/uploadRecords.ts'
import { backgroundUploads } from '#/features/images/upload/transfer/background.ts'
import { formatSize } from '#/lib/format.ts'
import { useActions } from '#/resource/actions/actions.tsx'
import { inStates } from '#/resource/form/usePicker.ts'
import { Button } from '#/ui/button/Button.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { Controls, Entry } from './Entry.tsx'

const pollMs = 2000
const listed = 50
const open = inStates(diskStates, (state) => isImporting({ state: { state } }))

/**
 * Disks with an open import: those that this browser has uploaded to, in any project, and all of the project on screen. The
 * server keeps them over a reload, and this browser how far each upload came.
 */
export function Imports({ onLeave }: { onLeave: () => void }) {
  const { data: locked } = useQuery({
    queryKey: ['disks that this browser uploads to'],
    queryFn: lockedDisks,
    refetchInterval: pollMs,
    staleTime: 0,
  })
  const own = new Set(backgroundUploads.get().map(({ upload }) => upload.diskName))
  const disks = useOpenImports().filter(({ name }) => !own.has(name))
  if (!locked) return null
  return disks.map((disk) => (
    <ImportEntry key={disk.id} disk={disk} isBusy={locked.has(disk.name)} onLeave={onLeave} />
  ))
}

function useOpenImports(): Disk[] {
  const { project } = useParams({ strict: false })
  const here = useQuery({
    ...query(diskList, { query: { project: project ?? '', filter: open, limit: listed } }),
    enabled: project !== undefined,
    throwOnError: false,
    staleTime: 0,
    refetchInterval: pollMs,
  })
  const uploaded = records.disks()
  const known = useQueries({
    queries: uploaded.map((disk) => ({
      queryKey: ['disk of an upload', disk],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await sendIfThere(diskView, { params: { disk }, query: {} }, signal)) ?? null,
      throwOnError: false,
      staleTime: 0,
      refetchInterval: pollMs,
    })),
  })
  const gone = known.flatMap(({ data }, i) => (data === null ? (uploaded[i] ?? []) : []))
  const forgotten = gone.join()
  useEffect(() => {
    for (const id of forgotten.split(',')) if (id !== '') records.keep(id, undefined)
  }, [forgotten])
  const all = [
    ...known.flatMap(({ data }) => data ?? []),
    ...(project === undefined ? [] : (here.data?.items ?? [])),
  ]
  return [...new Map(all.filter(isImporting).map((disk) => [disk.id, disk])).values()]
}

interface ImportEntryProps {
  disk: Disk
  /** Another tab of this browser uploads to it. */
  isBusy: boolean
  onLeave: () => void
}

function ImportEntry({ disk, isBusy, onLeave }: ImportEntryProps) {
  const upload = uploadOf(disk)
  const sent = records.read(disk.id)?.bytes
  const size = upload?.file.size ?? disk.size
  const title = upload ? `Upload image ${upload.image}` : `Import into disk ${disk.name}`
  const { data: project } = useQuery({
    ...query(projectView, { params: { project: disk.projectId } }),
    throwOnError: false,
  })
  return (
    <Entry
      title={title}
      since={disk.timeCreated}
      percent={sent === undefined ? undefined : Math.floor((100 * sent) / size)}
      isHeld={!isBusy}
    >
      <p className="text-secondary">{wordsOf({ disk, sent, isBusy })}</p>
      {project && !isBusy && (
        <ImportControls disk={disk} title={title} project={project.name} onLeave={onLeave} />
      )}
    </Entry>
  )
}

function wordsOf({ disk, sent, isBusy }: { disk: Disk; sent: number | undefined; isBusy: boolean }): string {
  const upload = uploadOf(disk)
  if (!upload)
    return disk.state.state === 'import_ready'
      ? 'The disk waits for data. It can be used once the import is finished.'
      : 'Data is being imported, or the import was interrupted.'
  const { name, size } = upload.file
  const of = sent === undefined ? formatSize(size) : `${formatSize(sent)} of ${formatSize(size)}`
  if (isBusy) return `${name}: ${of}. Another tab of this browser is uploading it.`
  return sent === undefined
    ? `${name}: ${of}. It was begun elsewhere: this browser does not know how far it came.`
    : `${name}: ${of}. Interrupted: choose the file again to continue.`
}

/** The same actions as in the list of disks. */
function ImportControls({
  disk,
  title,
  project,
  onLeave,
}: Pick<ImportEntryProps, 'disk' | 'onLeave'> & { title: string; project: string }) {
  const { menu } = useActions(importActions(project), { project })
  return (
    <Controls>
      {menu(disk).map((item) =>
        'href' in item && !item.disabledReason ? (
          <LinkButton
            key={item.label}
            size="small"
            href={item.href}
            aria-label={`${item.label}: ${title}`}
            onClick={onLeave}
          >
            {item.label}
          </LinkButton>
        ) : (
          <Button
            key={item.label}
            size="small"
            disabledReason={item.disabledReason}
            aria-label={`${item.label}: ${title}`}
            onClick={'onAction' in item ? item.onAction : undefined}
          >
            {item.label}
          </Button>
        ),
      )}
    </Controls>
  )
}
