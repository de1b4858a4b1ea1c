import { diskList } from '@purlin/contract/operations/storage/disks'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidate } from '#/api/query.ts'
import { formatSize } from '#/lib/format.ts'
import type { Disk } from '#/features/disks/disks.tsx'
import { removeDisk } from '#/features/disks/imports/endImport.ts'
import { isSameFile, uploadOf, type FileFacts } from '#/features/disks/imports/imports.ts'
import { lockedDisks, records, takeLock } from '#/features/disks/imports/uploadRecords.ts'
import { errorMessage } from '#/api/errors.ts'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import {
  findResumable,
  isUploadOf,
  resumeStateOf,
  type ResumeSearch,
  type ResumeState,
} from './transfer/resumable.ts'

/** Offers to resume an interrupted upload of the chosen file, or asks for the file that the upload needs. */
export function Interrupted({
  project,
  disks,
  search,
}: {
  project: string
  disks: Pick<UseQueryResult<Disk[]>, 'data' | 'dataUpdatedAt'>
  search: ResumeSearch
}) {
  // Fetched whenever the disks are: both change when an upload in another tab starts or ends.
  const { data: locked } = useQuery({
    queryKey: ['locked disks', disks.dataUpdatedAt],
    queryFn: lockedDisks,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  if (!locked) return null
  const local = { locked, read: records.read }
  const found = findResumable(disks.data ?? [], search, local)
  if (found) return <Resumable project={project} disk={found} blockSize={search.blockSize} />
  const { file, resume } = search
  const wanted = resume && uploadOf(resume)?.file
  if (!wanted || resume.name === search.own) return null
  if (file && !isSameFile(wanted, file)) return <DifferentFile expected={wanted} />
  // The import may have ended since the page was opened.
  const isThere = !file || disks.data?.some((disk) => disk.id === resume.id && isUploadOf(disk, file))
  return isThere ? <ChooseFile disk={resume} file={wanted} state={resumeStateOf(resume, local)} /> : null
}

const FileName = ({ name, size }: FileFacts) => (
  <>
    <span className="mono wrap-anywhere">{name}</span> ({formatSize(size)})
  </>
)
const DiskName = ({ name }: { name: string }) => <span className="mono">{name}</span>

const DifferentFile = ({ expected }: { expected: FileFacts }) => (
  <Notice title="This is a different file">
    The upload of <FileName {...expected} /> is not resumed. This file is uploaded from the beginning.
  </Notice>
)

/** Whether the upload that the user wants to resume can be resumed. */
function ChooseFile({ disk, file, state }: { disk: Disk; file: FileFacts; state: ResumeState }) {
  if (state === 'busy')
    return (
      <Notice title="This file is being uploaded in another tab">
        Another tab of this browser is uploading <FileName {...file} /> to the disk{' '}
        <DiskName name={disk.name} />. To upload the file a second time, give the image a different name.
      </Notice>
    )
  if (state === 'unknown')
    return (
      <Notice title="The upload will start over">
        This browser does not know how much of <FileName {...file} /> was uploaded, so the whole file is
        uploaded to a new disk. If no other browser is uploading to the old disk,{' '}
        <DiskName name={disk.name} />, you can remove it in the list of disks.
      </Notice>
    )
  return (
    <Notice title="Choose the same file again">
      Choose <FileName {...file} /> to resume its upload where it stopped.
    </Notice>
  )
}

/** The disk to resume with, and a button to delete it instead. */
function Resumable({ project, disk, blockSize }: { project: string; disk: Disk; blockSize: number }) {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const bytes = records.read(disk.id)?.bytes ?? 0
  const startOver = async () => {
    setPending(true)
    setProblem(undefined)
    try {
      await removeInterrupted(project, disk)
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setPending(false)
    }
  }
  const effect =
    bytes > 0
      ? `It resumes after the first ${formatSize(bytes)}.`
      : 'No data is known to have been uploaded, so it starts from the beginning.'
  return (
    <Notice title="An upload of this file was interrupted">
      <p>
        It was started on <DateTime date={disk.timeCreated} /> with the temporary disk{' '}
        <DiskName name={disk.name} />.{' '}
        {disk.blockSize === blockSize ? effect : `To resume it, select its block size, ${disk.blockSize}.`}
      </p>
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <Button size="small" className="mt-2" pending={pending} onClick={() => void startOver()}>
        Remove it and start over
      </Button>
    </Notice>
  )
}

/** Removes a disk unless an upload to it has been resumed. The list of disks is stale in both cases. */
async function removeInterrupted(project: string, disk: Disk): Promise<void> {
  const release = await takeLock(disk.name)
  try {
    if (release) {
      await removeDisk({ project, name: disk.name })
      records.keep(disk.id, undefined)
    }
    await invalidate(diskList)
  } finally {
    release?.()
  }
}
