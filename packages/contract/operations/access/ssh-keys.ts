import { limits } from '#/rules/limits.ts'
import { object, ref, string, unlimited } from '#/schema.ts'
import { identity } from '#/schemas/identity.ts'
import { Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

export const SshKey = ref('SshKey', object({ ...identity, publicKey: string(unlimited), siloUserId: Uuid }))
const publicKey = string({ maxLength: limits.sshKey.publicKey, isRule: true })
export const { currentUserSshKeyList, currentUserSshKeyCreate, currentUserSshKeyView, currentUserSshKeyDelete } = plainOps('sshKey', {
  verbs: ['List', 'Create', 'View', 'Delete'], response: SshKey, create: { publicKey }, tag: 'session',
})
