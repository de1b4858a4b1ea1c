/** Protects resources from deletion, and removes the protection. */
import type { ProtectedKind } from '@purlin/contract/rules/lists'
import { resolve } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { keptChanges, updateNamed } from './rows.ts'

async function update(
  ctx: Ctx,
  kind: ProtectedKind,
  { params, query = {}, body }: { params: object; query?: object; body: BodyOf<'diskProtectionUpdate'> },
) {
  const row = await resolve(ctx, kind, { ...params, ...query } as Parameters<
    typeof resolve<ProtectedKind>
  >[2])
  const { isProtected } = { ...row, ...keptChanges(body) }
  if (isProtected !== row.isProtected)
    await updateNamed(ctx, [kind, row], { isProtected, timeModified: ctx.now })
  return body
}

export const protection: Family<`${ProtectedKind}ProtectionUpdate`> = {
  instanceProtectionUpdate: (ctx, input) => update(ctx, 'instance', input),
  diskProtectionUpdate: (ctx, input) => update(ctx, 'disk', input),
  snapshotProtectionUpdate: (ctx, input) => update(ctx, 'snapshot', input),
  instanceSnapshotProtectionUpdate: (ctx, input) => update(ctx, 'instanceSnapshot', input),
  userDataTemplateProtectionUpdate: (ctx, input) => update(ctx, 'userDataTemplate', input),
  imageProtectionUpdate: (ctx, input) => update(ctx, 'image', input),
  floatingIpProtectionUpdate: (ctx, input) => update(ctx, 'floatingIp', input),
  vpcProtectionUpdate: (ctx, input) => update(ctx, 'vpc', input),
  projectProtectionUpdate: (ctx, input) => update(ctx, 'project', input),
}
