import { kind } from '../kind.ts'

export const sshKey = kind({
  noun: 'SSH key',
  type: 'ssh-key',
  field: 'sshKey',
  parent: 'siloUser',
  counts: { siloUser: 1_000 },
  search: { list: 'currentUserSshKeyList', rank: 13 },
  section: ['create', 'edit'],
})
