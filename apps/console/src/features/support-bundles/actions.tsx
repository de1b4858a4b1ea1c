/** Actions on support bundles. */
import {
  supportBundleDownload,
  supportBundleIndex,
  supportBundleUpdate,
} from '@purlin/contract/operations/bundles/support-bundles'
import { requestTo } from '#/api/request.ts'
import { plainActions, type Action } from '#/resource/actions/actions.tsx'
import { roleFor } from '#/resource/kind.ts'
import { Files } from './Files.tsx'
import { EditComment } from './CommentForm.tsx'
import { bundle, type Bundle } from './kinds.ts'
import { save } from './save.ts'

const notActive = ({ state }: Bundle): string | undefined =>
  state === 'active' ? undefined : `It is ${state}: only an active bundle can be downloaded.`

const own: readonly Action<Bundle>[] = [
  {
    id: 'download',
    label: 'Download',
    disabledReason: notActive,
    onAction: (row) => save(row),
    command: ({ id }) => requestTo(supportBundleDownload, { params: { bundleId: id } }),
  },
  {
    id: 'files',
    label: 'View files',
    role: roleFor(supportBundleIndex),
    disabledReason: notActive,
    dialog: (row, close) => <Files bundle={row} onDismiss={close} />,
  },
  {
    id: 'edit',
    label: 'Edit comment',
    role: roleFor(supportBundleUpdate),
    dialog: (row, close) => <EditComment bundle={row} onDismiss={close} />,
  },
]

export const bundleActions: Action<Bundle>[] = plainActions(
  bundle,
  {},
  { own, disabledReason: ({ state }) => (state === 'destroying' ? 'It is being deleted.' : undefined) },
)
