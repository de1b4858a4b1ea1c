/** Actions on a silo. */
import { siloQuotasUpdate, type siloList } from '@purlin/contract/operations/silos/system-silos'
import type { Item } from '#/api/everyPage.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { plainActions, type Action } from '#/resource/actions/actions.tsx'
import { roleFor } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'

export type Silo = Item<typeof siloList>

export const siloDocs = {
  summary:
    'A silo separates a tenant from all others: it has its own users and groups, its own projects, and its own limits.',
  links: [guides.silos, guides.ipPools, guides.accessControl],
}

const editQuotas: Action<Silo> = {
  id: 'quotas',
  label: 'Edit quotas',
  role: roleFor(siloQuotasUpdate),
  href: ({ name }) => paths.siloQuotasEdit(name),
}

/** `leave` is called when the silo of a page is gone. */
export const siloActions = (leave?: () => unknown): readonly Action<Silo>[] =>
  plainActions(kinds.silo, undefined, {
    note: () =>
      'Its users, groups, sessions and roles are deleted with it, and its links to IP pools are removed.',
    refusal: async (row) => (await import('./deletion/contents.tsx')).siloRefusal(row),
    typeToConfirm: ({ name }) => name,
    own: [editQuotas],
    leave,
  })
