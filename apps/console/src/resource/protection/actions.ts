import {
  instanceProtectionUpdate,
  diskProtectionUpdate,
  snapshotProtectionUpdate,
  instanceSnapshotProtectionUpdate,
  userDataTemplateProtectionUpdate,
  floatingIpProtectionUpdate,
  vpcProtectionUpdate,
  imageProtectionUpdate,
  projectProtectionUpdate,
} from '@purlin/contract/operations/lists/protection'
import { hasProtection } from '@purlin/contract/rules/lists'
import { requestTo } from '#/api/request.ts'
import type { Action } from '../actions/actions.tsx'
import { argsOf, reload, roleFor, type Identified, type Kind } from '../kind.ts'

/** Whether a row says that its resource is protected from deletion. */
export const isProtected = (row: object): boolean => 'protected' in row && row.protected === true

const operations = {
  instance: instanceProtectionUpdate,
  disk: diskProtectionUpdate,
  snapshot: snapshotProtectionUpdate,
  instanceSnapshot: instanceSnapshotProtectionUpdate,
  userDataTemplate: userDataTemplateProtectionUpdate,
  floatingIp: floatingIpProtectionUpdate,
  vpc: vpcProtectionUpdate,
  image: imageProtectionUpdate,
  project: projectProtectionUpdate,
}

const acts = [
  { id: 'protect', label: 'Protect', verb: 'protect', done: 'protected' },
  {
    id: 'unprotect',
    label: 'Remove protection',
    verb: 'remove the protection of',
    done: 'no longer protected',
  },
] as const

/** Protects resources from deletion, and removes the protection, if the kind has it. */
export function protectionActions({
  name,
  ...kind
}: Pick<Kind, 'name' | 'noun' | 'list' | 'related'>): Action<Identified>[] {
  if (!hasProtection(name)) return []
  const op = operations[name]
  return acts.map(({ id, label, verb, done }): Action<Identified> => {
    const protects = id === 'protect'
    const canBe = (row: Identified) => isProtected(row) !== protects
    return {
      id,
      label,
      role: roleFor(op),
      isOffered: canBe,
      disabledReason: (row) => !canBe(row) && `It is ${protects ? 'protected already' : 'not protected'}`,
      isForMany: true,
      isHiddenForNone: true,
      confirm: {
        noun: kind.noun,
        verb,
        done,
        isDanger: false,
        canBeUndone: true,
        task: { kind: name, action: id },
        request: (row) =>
          requestTo(op, {
            ...(argsOf({ name }, op, { nameOrId: row.id }) as object),
            body: { protected: protects },
          } as never),
        after: () => reload(kind),
      },
    }
  })
}
