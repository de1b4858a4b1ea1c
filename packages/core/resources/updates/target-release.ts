/** The release that the rack is to run. */
import { isOlder } from '@purlin/contract/rules/versions'
import { noteTarget } from '#/audit/touched.ts'
import { permit } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { fault } from '#/faults.ts'
import { repositoryOf } from './repositories.ts'
import { begin } from './roll-out.ts'
import { targetOf } from './targets.ts'

export const targetReleases: Family<'targetReleaseUpdate'> = {
  async targetReleaseUpdate(ctx, { body: { systemVersion } }) {
    permit(ctx)
    const { tx, unit, now } = ctx
    const { id } = await repositoryOf(tx, systemVersion)
    noteTarget(unit, 'systemUpdateRepository', { id, name: systemVersion })
    const target = await targetOf(tx)
    if (target && isOlder(systemVersion, target.systemVersion))
      throw fault.invalid(
        `Requested target release (${systemVersion}) must not be older than current target release (${target.systemVersion}).`,
      )
    if (target?.systemVersion === systemVersion) return
    const generation = (target?.generation ?? 0) + 1
    await tx.insertInto('targetRelease').values({ generation, systemVersion, timeRequested: now }).execute()
    await begin(ctx)
    ctx.wake('updates')
  },
}
