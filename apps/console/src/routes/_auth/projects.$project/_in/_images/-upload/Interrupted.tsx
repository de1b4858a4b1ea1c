import { diskList } from '@purlin/contract/operations/disks'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidate } from '../../../../../../api.ts'
import { formatSize } from '../../../../../../lib/format.ts'
import type { Disk } from '../../../../../../parts/disk/disks.tsx'
import { removeDisk } from '../../../../../../parts/disk/endImport.ts'
import { isSameFile, uploadOf, type FileFacts } from '../../../../../../parts/disk/imports.ts'
import { lockedDisks, records, takeLock } from '../../../../../../parts/disk/importsHere.ts'
import { errorMessage, send, sendIfThere } from '../../../../../../send.ts'
import { Button } from '../../../../../../ui/Button.tsx'
import { DateTime } from '../../../../../../ui/DateTime.tsx'
import { Notice } from '../../../../../../ui/Notice.tsx'
import { findLeft, isFrom, standingOf, type Sought, type Standing } from './left.ts'

/** Says whether an upload of the file chosen was broken off and goes on, or which file must be chosen for that. */
export function Interrupted({
  project,
  disks,
  sought,
}: {
  project: string
  disks: Pick<UseQueryResult<Disk[]>, 'data' | 'dataUpdatedAt'>
  sought: Sought
}) {
  // Asked anew whenever the disks are: both change when an upload in another tab begins or ends.
  const { data: locked } = useQuery({
    queryKey: ['locked disks', disks.dataUpdatedAt],
    queryFn: lockedDisks,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  if (!locked) return null
  const here = { locked, read: records.read }
  const found = findLeft(disks.data ?? [], sought, here)
  if (found) return <Found project={project} disk={found} blockSize={sought.blockSize} />
  const { file, resume } = sought
  const wanted = resume && uploadOf(resume)?.file
  if (!wanted || resume.name === sought.own) return null
  if (file && !isSameFile(wanted, file)) return <OtherFile wanted={wanted} />
  // What has ended since the person came is nothing to go on with.
  const isThere = !file || disks.data?.some((disk) => disk.id === resume.id && isFrom(disk, file))
  return isThere ? <Wanted disk={resume} file={wanted} standing={standingOf(resume, here)} /> : null
}

const FileName = ({ name, size }: FileFacts) => (
  <>
    <span className="mono wrap-anywhere">{name}</span> ({formatSize(size)})
  </>
)
const DiskName = ({ name }: { name: string }) => <span className="mono">{name}</span>

const OtherFile = ({ wanted }: { wanted: FileFacts }) => (
  <Notice title="This is another file">
    The upload of <FileName {...wanted} /> stays as it is, and this one begins at its start.
  </Notice>
)

/** What becomes of the upload that the person came for. */
function Wanted({ disk, file, standing }: { disk: Disk; file: FileFacts; standing: Standing }) {
  if (standing === 'busy')
    return (
      <Notice title="This file is being uploaded in another tab">
        Another tab of this browser is uploading <FileName {...file} /> into <DiskName name={disk.name} />,
        and that upload is left alone. You can upload the file anew from here, into a disk of its own: give
        the image another name.
      </Notice>
    )
  if (standing === 'unknown')
    return (
      <Notice title="The file will be sent whole">
        This browser does not know how far the upload of <FileName {...file} /> got, so it begins at its
        start, in a new disk. You can remove the old one, <DiskName name={disk.name} />, from the list of
        disks once nobody is uploading into it.
      </Notice>
    )
  return (
    <Notice title="Choose the same file again">
      <FileName {...file} />. The upload then goes on where it ended.
    </Notice>
  )
}

/** A disk to go on with, and a way to do without it. */
function Found({ project, disk, blockSize }: { project: string; disk: Disk; blockSize: number }) {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const bytes = records.read(disk.id)?.bytes ?? 0
  const startOver = async () => {
    setPending(true)
    setProblem(undefined)
    try {
      await removeLeft(project, disk)
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setPending(false)
    }
  }
  const goesOn =
    bytes > 0
      ? `It goes on after the ${formatSize(bytes)} that have arrived.`
      : 'Nothing of it is known to have arrived, so it begins at its start, in the same disk.'
  return (
    <Notice title="An upload of this file was interrupted">
      <p>
        It began on <DateTime date={disk.timeCreated} /> as <DiskName name={disk.name} />.{' '}
        {disk.blockSize === blockSize
          ? goesOn
          : `It can only go on with a block size of ${disk.blockSize}, which is what it began with.`}
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

/** Removes a disk, unless an upload has gone on in it meanwhile; either way what is shown is no longer true. */
async function removeLeft(project: string, disk: Disk): Promise<void> {
  const release = await takeLock(disk.name)
  try {
    if (release) {
      await removeDisk({ send, sendIfThere }, { project, name: disk.name })
      records.keep(disk.id, undefined)
    }
    await invalidate(diskList)
  } finally {
    release?.()
  }
}
