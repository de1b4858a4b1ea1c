import type { attentionList } from '@purlin/contract/operations/hardware/capacity'
import { kindOfType } from '@purlin/contract/rules/kinds'
import type { Item } from '#/api/everyPage.ts'
import { paths } from '#/lib/addresses.ts'
import { pageOf } from '#/resource/address/pageOf.ts'

export type Issue = Item<typeof attentionList>

/** The page where an operator sees and mends the subject of an issue; undefined if there is none. */
export function addressOfSubject({ type, id, name, within }: Issue['subject']): string | undefined {
  // A port is part of a switch, which is no kind with a list.
  if (type === 'switch-port') return within ? paths.switchPort({ switchId: within, port: name }) : undefined
  // Neither is the backup.
  if (type === 'backup') return paths.backup
  switch (kindOfType(type)) {
    case 'sled':
      return pageOf('sled', { id, name })
    case 'switch':
      return pageOf('switch', { id, name })
    case 'physicalDisk':
      return pageOf('physicalDisk', { id, name })
    case 'ipPool':
      return pageOf('ipPool', { name })
    case 'silo':
      return paths.siloTab(name, 'quotas')
    case 'instance':
    case 'certificate':
      // Operators do not see what is in a silo, but its page says when its certificates expire and who may help.
      return within ? pageOf('silo', { name: within }) : undefined
    default:
      return undefined
  }
}
