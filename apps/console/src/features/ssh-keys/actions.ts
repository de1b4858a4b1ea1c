import { plainActions } from '#/resource/actions/actions.tsx'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { kinds } from '#/resource/kinds.ts'

/** Actions on a public key of one's own. */
export const sshKeyActions = () =>
  plainActions(kinds.sshKey, undefined, {
    copies: [
      {
        id: 'copyKey',
        label: 'Copy public key',
        command: null,
        onAction: ({ publicKey }) => copyWithToast(publicKey, 'Public key'),
      },
    ],
    note: () =>
      'Instances that were created with the key keep it. To revoke access, remove the key from each of them.',
  })
