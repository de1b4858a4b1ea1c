import { instanceSerialConsole } from '@purlin/contract/operations/instances/instances'
import { useState } from 'react'
import { saveFile } from '#/api/download.ts'
import { ApiError, send } from '#/api/send.ts'
import { argsOf, type InstanceTarget } from '#/features/instance-state/update.ts'
import { toastFailure } from '#/resource/actions/toasts.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { readLog } from './readLog.ts'

/** bytes of one read: a response has a number for each */
const pieceBytes = 256 * 1024

/** A read of an offset is refused with 400 if the server no longer has it. */
const isDropped = (error: unknown) => error instanceof ApiError && error.status === 400

/** Saves the output of a serial console as a file, as far as the server keeps it. */
export function useLogDownload(target: InstanceTarget): { save: () => void; isReading: boolean } {
  const [isReading, setReading] = useState(false)
  const run = async () => {
    const { params, query } = argsOf(target)
    setReading(true)
    try {
      const { parts, dropped } = await readLog(
        (range) =>
          send(instanceSerialConsole, { params, query: { ...query, ...range, maxBytes: pieceBytes } }),
        isDropped,
      )
      saveFile(new Blob(parts, { type: 'text/plain' }), `${target.instance}-serial-console.log`)
      addToast({
        title: 'Log downloaded',
        content:
          dropped === 0
            ? 'All output since the instance started'
            : `The server keeps the beginning and the end: ${dropped.toLocaleString()} bytes between them are missing`,
      })
    } catch (error) {
      toastFailure('Could not download the log', error)
    } finally {
      setReading(false)
    }
  }
  return { save: () => void (isReading || run()), isReading }
}
