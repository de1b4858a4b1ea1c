import { systemUpdateRepositoryUpload } from '@purlin/contract/operations/updates/repositories'
import { useQuery } from '@tanstack/react-query'
import Upload from 'lucide-react/icons/upload'
import { ExplainedError } from '#/api/errors.ts'
import { requestTo } from '#/api/request.ts'
import { formatSize } from '#/lib/format.ts'
import { useStore } from '#/lib/store.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { toastFailure } from '#/resource/actions/toasts.tsx'
import { making } from '#/resource/command/commands.ts'
import { ViewCommand } from '#/resource/command/ViewCommand.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { pickFile } from './pickFile.ts'
import { uploadsQuery, type Upload as Unfinished } from './queries.ts'
import {
  beginUpload,
  cancelRequest,
  cancelUpload,
  dismissRefusal,
  otherFileReason,
  pauseUpload,
  refusalStore,
  resumeUpload,
  uploadFailed,
  uploadStore,
  type LocalUpload,
} from './uploads.ts'

// The page sends a file in parts, which the command sends at once.
const wholeUpload = {
  ...requestTo(systemUpdateRepositoryUpload, {
    query: { fileName: 'FILE' },
    body: new Uint8Array(),
  }),
  note: 'The page sends the file in parts, so that it can resume. The command sends it in one request.',
}

/** Chooses a repository and begins to upload it. */
export function UploadButton() {
  const { lacks } = useRole(undefined, 'fleet')
  const begin = async () => {
    const file = await pickFile('.zip')
    if (file) await beginUpload(file).catch((error: unknown) => toastFailure(uploadFailed, error))
  }
  return (
    <span className="inline-flex items-center gap-1">
      <Button
        size="small"
        icon={<Upload size={14} />}
        disabledReason={lacks('admin')}
        onClick={() => void begin()}
      >
        Upload repository
      </Button>
      <ViewCommand size="small" of="Upload repository" requests={making(wholeUpload)} />
    </span>
  )
}

/** The repositories that were refused, each with its reason until it is dismissed. */
export function Refusals() {
  const refusals = useStore(refusalStore)
  if (refusals.length === 0) return null
  return (
    <ul aria-label="Refused repositories" className="grid gap-2 border-b border-line-faint p-4">
      {refusals.map(({ id, fileName, reason }) => (
        <li key={id}>
          <Notice tone="danger" title={`${fileName} was refused`}>
            <p className="mb-2">{reason}</p>
            <Button size="small" onClick={() => dismissRefusal(id)}>
              Dismiss
            </Button>
          </Notice>
        </li>
      ))}
    </ul>
  )
}

/** The uploads that are not finished, those of other tabs and people too. */
export function UploadRows() {
  const { lacks } = useRole(undefined, 'fleet')
  const local = useStore(uploadStore)
  const { data } = useQuery({
    ...uploadsQuery(),
    enabled: lacks('admin') === undefined,
    throwOnError: false,
  })
  const rows = data?.items ?? []
  if (rows.length === 0) return null
  return (
    <ul aria-label="Uploads" className="divide-y divide-line-faint border-b border-line-faint bg-sunken">
      {rows.map((row) => (
        <UploadRow key={row.id} row={row} local={local.find(({ id }) => id === row.id)} />
      ))}
    </ul>
  )
}

const words: Record<LocalUpload['state'], string> = {
  sending: 'Uploading',
  verifying: 'Verifying',
  paused: 'Paused',
  failed: 'Interrupted',
}

function UploadRow({ row, local }: { row: Unfinished; local: LocalUpload | undefined }) {
  const { id, fileName, size } = row
  const offset = Math.max(row.offset, local?.offset ?? 0)
  const percent = Math.floor((100 * offset) / size)
  const isRunning = local?.state === 'sending' || local?.state === 'verifying'
  const resume = async () => {
    if (local) return resumeUpload(id)
    const file = await pickFile('.zip')
    if (!file) return
    const reason = otherFileReason(row, file)
    if (reason === undefined) resumeUpload(id, file)
    else toastFailure(uploadFailed, new ExplainedError(reason))
  }
  return (
    <li className="grid gap-2 px-4 py-3" aria-label={fileName}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="mono min-w-0 grow truncate font-medium">{fileName}</span>
        <span className="text-secondary">
          {local ? words[local.state] : 'Not finished'} · {formatSize(offset)} of {formatSize(size)}
        </span>
        {local?.state === 'sending' && (
          <Button size="small" onClick={() => pauseUpload(id)}>
            Pause
          </Button>
        )}
        {!isRunning && (
          <Button size="small" onClick={() => void resume()}>
            Resume
          </Button>
        )}
        {local?.state !== 'verifying' && (
          <Button size="small" variant="danger" onClick={() => confirmCancel(row)}>
            Cancel
          </Button>
        )}
      </div>
      <ProgressBar label={`Upload of ${fileName}`} percent={percent} isHeld={!isRunning} />
      {local?.state === 'failed' && <p className="text-danger">{local.reason}</p>}
      {!local && (
        <p className="text-secondary">
          No upload runs in this tab. To resume it, choose the same file again.
        </p>
      )}
    </li>
  )
}

const confirmCancel = ({ id, fileName }: Unfinished): void =>
  confirmAction({
    modalTitle: 'Cancel upload',
    modalContent: (
      <p>
        Cancel the upload of <Highlight>{fileName}</Highlight>? The part that was sent is deleted.
      </p>
    ),
    errorTitle: 'Could not cancel the upload',
    actionType: 'danger',
    command: cancelRequest(id),
    doAction: () => cancelUpload(id),
  })
