import type { currentUserSshKeyList } from '@purlin/contract/operations/access/ssh-keys'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { keyParts } from './keyParts.ts'

export const Route = createFileRoute('/_auth/settings/_ssh-keys')({
  ...listRoute(kinds.sshKey),
  loader: (match) => loadList(sshKeys, match),
  component: () => <ResourceList list={sshKeys} />,
})

const sshKeys: ListOf<typeof currentUserSshKeyList> = {
  kind: kinds.sshKey,
  label: 'SSH keys',
  docs: {
    summary:
      'Public keys in your profile can be added to an instance when it is created, so that you can sign in with the private key.',
    links: [guides.sshKeys],
  },
  create: { label: 'Add SSH key', paletteLabel: 'Add SSH key' },
  emptyBody: 'Add a public key to use it for new instances.',
  actions: (project) =>
    plainActions(kinds.sshKey, project, {
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
    }),
  columns: () => [
    nameColumn(kinds.sshKey, {}),
    descriptionColumn,
    {
      id: 'type',
      header: 'type',
      cell: ({ publicKey }) => <span className="mono">{keyParts(publicKey).type}</span>,
    },
    createdColumn,
  ],
}
