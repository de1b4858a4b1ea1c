import { diskList } from '@purlin/contract/operations/disks'
import { useState } from 'react'
import { invalidate } from '../../../../../../api.ts'
import { formatSize } from '../../../../../../lib/format.ts'
import type { Disk } from '../../../../../../parts/disk/disks.tsx'
import { removeDisk } from '../../../../../../parts/disk/endImport.ts'
import { isImporting, isSameFile, uploadOf } from '../../../../../../parts/disk/imports.ts'
import { errorMessage, send, sendIfThere } from '../../../../../../send.ts'
import { Button } from '../../../../../../ui/Button.tsx'
import { DateTime } from '../../../../../../ui/DateTime.tsx'
import { Notice } from '../../../../../../ui/Notice.tsx'
import { keepMark, readMark } from './records.ts'

/** Says that an upload of the file chosen was broken off and goes on, or which file must be chosen for that. */
export function Interrupted({
  project,
  file,
  blockSize,
  disks = [],
  resume,
}: {
  project: string
  file: File | null
  blockSize: number
  disks: readonly Disk[] | undefined
  resume: Disk | undefined
}) {
  const wanted = resume && uploadOf(resume)?.file
  if (!file)
    return wanted ? (
      <Notice title="Choose the same file again">
        <span className="mono wrap-anywhere">{wanted.name}</span>, {formatSize(wanted.size)}. The upload then
        goes on where it ended.
      </Notice>
    ) : null
  const found = disks.find((disk) => {
    const upload = isImporting(disk) ? uploadOf(disk) : undefined
    return upload && isSameFile(upload.file, file)
  })
  if (found) return <Found project={project} disk={found} blockSize={blockSize} />
  return wanted && !isSameFile(wanted, file) ? (
    <Notice title="This is another file">
      The upload of <span className="mono wrap-anywhere">{wanted.name}</span> ({formatSize(wanted.size)})
      stays as it is, and this one begins at its start.
    </Notice>
  ) : null
}

function Found({ project, disk, blockSize }: { project: string; disk: Disk; blockSize: number }) {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { bytes } = readMark(disk.id)
  const startOver = async () => {
    setPending(true)
    setProblem(undefined)
    try {
      await removeDisk({ send, sendIfThere }, { project, name: disk.name })
      keepMark(disk.id, undefined)
      await invalidate(diskList)
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setPending(false)
    }
  }
  const goesOn =
    bytes > 0
      ? `It goes on after the ${formatSize(bytes)} that have arrived.`
      : 'How far it got is not known in this browser, so all of it is sent once more, into the same disk.'
  return (
    <Notice title="An upload of this file was interrupted">
      <p>
        It began on <DateTime date={disk.timeCreated} /> as <span className="mono">{disk.name}</span>.{' '}
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
