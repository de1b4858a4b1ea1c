/** The limits of the keys of a service account, which may do less than the roles of the account allow. */
import { operations } from '@purlin/contract/operations'
import type { OpShape } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { permits, type Target } from '#/auth/access.ts'
import { outsideOf, type Outside } from '#/auth/credential-scope.ts'
import type { Person } from '#/auth/people.ts'
import type { Ctx } from '#/context.ts'
import { valid } from './tokens/access-tokens.ts'

interface KeyLimits {
  id: string
  name: string
  readOnly: boolean
  projectId: string | null
  projectName: string | null
  refusedBy: Outside | null
}

/** The valid keys of a service account, as its user and those who may list them see them; null for others. */
export async function keyLimitsOf(
  ctx: Ctx,
  { id, row }: Person,
  asked: { op: OpShape; target: Target } | undefined,
): Promise<KeyLimits[] | null> {
  const mayList = permits(ctx.actor, operations.serviceAccountKeyList.allow, { siloId: row.siloId })
  if (id !== ctx.actor.userId && !mayList) return null
  const account = ctx.tx.selectFrom('serviceAccount').select('id').where('id', '=', id)
  if (!(await account.executeTakeFirst())) return null
  const keys = await valid(ctx, ctx.tx.selectFrom('accessToken').where('siloUserId', '=', id))
    .leftJoin('project', 'project.id', 'accessToken.onlyProjectId')
    .select(['accessToken.id', 'label', 'isReadOnly', 'onlyProjectId', 'project.name as projectName'])
    .orderBy('label')
    .limit(limits.serviceAccount.keys)
    .execute()
  return keys.map(({ label, isReadOnly, onlyProjectId: projectId, projectName, ...key }) => {
    const readOnly = isReadOnly === 1
    return {
      id: key.id,
      name: label ?? '',
      readOnly,
      projectId,
      projectName,
      refusedBy: asked ? refusedBy({ isReadOnly: readOnly, projectId }, asked) : null,
    }
  })
}

function refusedBy(
  { isReadOnly, projectId }: { isReadOnly: boolean; projectId: string | null },
  { op, target }: { op: OpShape; target: Target },
): Outside | null {
  const isElsewhere = projectId !== null && target.project !== undefined && target.project.id !== projectId
  return outsideOf({ isKey: true, isReadOnly, projectId }, op) ?? (isElsewhere ? 'project' : null)
}
