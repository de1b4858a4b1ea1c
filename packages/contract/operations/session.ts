import { op } from '../op.ts'
import { boolean, named, object, text } from '../schema.ts'
import { head, newHead } from '../schemas/identity.ts'
import { byId, byName, page } from '../schemas/page.ts'
import { Name, NameOrId, Uuid } from '../schemas/scalar.ts'
import { Group } from './silo.ts'

const tag = 'session'

export const CurrentUser = named(
  'CurrentUser',
  object({ id: Uuid, displayName: text(), siloId: Uuid, siloName: Name, fleetViewer: boolean(), siloAdmin: boolean() }),
)
export const currentUserView = op({
  method: 'GET', path: '/v1/me', allow: 'user', ok: 200, tag, summary: 'Show the signed-in user', response: CurrentUser,
})
export const currentUserGroups = op({
  method: 'GET', path: '/v1/me/groups', allow: 'user', ok: 200, tag, summary: 'List the groups of the signed-in user',
  query: object(byId), response: named('GroupResultsPage', page(Group)),
})

export const SshKey = named('SshKey', object({ ...head, publicKey: text(), siloUserId: Uuid }))
const keys = { tag, allow: 'user' } as const
const sshKeyPath = object({ sshKey: NameOrId })

export const currentUserSshKeyList = op({
  ...keys, method: 'GET', path: '/v1/me/ssh-keys', ok: 200, summary: 'List own SSH public keys',
  query: object(byName), response: named('SshKeyResultsPage', page(SshKey)),
})
export const currentUserSshKeyCreate = op({
  ...keys, method: 'POST', path: '/v1/me/ssh-keys', ok: 201, summary: 'Add an SSH public key',
  body: named('SshKeyCreate', object({ ...newHead, publicKey: text() })), response: SshKey,
})
export const currentUserSshKeyView = op({
  ...keys, method: 'GET', path: '/v1/me/ssh-keys/{ssh_key}', ok: 200, summary: 'Show an SSH public key',
  params: sshKeyPath, response: SshKey,
})
export const currentUserSshKeyDelete = op({
  ...keys, method: 'DELETE', path: '/v1/me/ssh-keys/{ssh_key}', ok: 204, summary: 'Delete an SSH public key',
  params: sshKeyPath,
})
