import { currentUserSshKeyDelete, currentUserSshKeyList } from '@purlin/contract/operations/session'
import type { Result } from '@purlin/contract/op'
import { invalidate } from '../../../../api.ts'
import { confirmAction } from '../../../../parts/confirm.ts'
import { copyWithToast } from '../../../../parts/copy.ts'
import { send } from '../../../../send.ts'
import { Highlight } from '../../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../../ui/menuItems.ts'
import { addToast } from '../../../../ui/toast.ts'

export type SshKey = Result<typeof currentUserSshKeyList>['items'][number]

function askToDelete(name: string): void {
  confirmAction({
    modalTitle: 'Delete SSH key',
    modalContent: (
      <>
        <p>
          Are you sure you want to delete <Highlight>{name}</Highlight>?
        </p>
        <p>Instances that were given the key keep it; to lock it out, remove it inside each of them.</p>
      </>
    ),
    errorTitle: 'Could not delete SSH key',
    actionType: 'danger',
    doAction: async () => {
      await send(currentUserSshKeyDelete, { params: { sshKey: name } })
      await invalidate(currentUserSshKeyList)
      addToast({
        content: (
          <>
            SSH key <Highlight>{name}</Highlight> deleted
          </>
        ),
      })
    },
  })
}

/** The row actions of an SSH key. */
export const keyActions = ({ id, name, publicKey }: SshKey): MenuItem[] => [
  { label: 'Copy ID', onAction: () => void copyWithToast(id, 'SSH key ID') },
  { label: 'Copy public key', onAction: () => void copyWithToast(publicKey, 'Public key') },
  { label: 'Delete', onAction: () => askToDelete(name) },
]
