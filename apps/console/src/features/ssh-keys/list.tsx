import type { currentUserSshKeyList } from '@purlin/contract/operations/access/ssh-keys'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { sshKeyActions } from './actions.ts'
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
  actions: sshKeyActions,
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
