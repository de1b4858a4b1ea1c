import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { object, ref, string, unlimited } from '#/schema.ts'
import { identity, identityCreate } from '#/schemas/identity.ts'
import { byName, page } from '#/schemas/page.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'

export const SshKey = ref('SshKey', object({ ...identity, publicKey: string(unlimited), siloUserId: Uuid }))
const keys = { tag: 'session', allow: 'user' } as const
const sshKeyPath = object({ sshKey: NameOrId })

export const currentUserSshKeyList = op({
  ...keys, method: 'GET', path: '/v1/me/ssh-keys', ok: 200, summary: 'List own SSH public keys',
  query: object(byName), response: ref('SshKeyResultsPage', page(SshKey)),
})
export const currentUserSshKeyCreate = op({
  ...keys, method: 'POST', path: '/v1/me/ssh-keys', ok: 201, summary: 'Add an SSH public key',
  body: ref('SshKeyCreate', object({ ...identityCreate, publicKey: string({ maxLength: limits.sshKey.publicKey, isRule: true }) })), response: SshKey,
})
export const currentUserSshKeyView = op({
  ...keys, method: 'GET', path: '/v1/me/ssh-keys/{ssh_key}', ok: 200, summary: 'Show an SSH public key',
  params: sshKeyPath, response: SshKey,
})
export const currentUserSshKeyDelete = op({
  ...keys, method: 'DELETE', path: '/v1/me/ssh-keys/{ssh_key}', ok: 204, summary: 'Delete an SSH public key',
  params: sshKeyPath,
})
