/** Sessions of bidirectional forwarding detection (RFC 5880). */
import { kinds } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { fromKey } from '@purlin/contract/rules/network/ip'
import { permit } from '#/auth/resolve.ts'
import type { BodyOf, Family } from '#/context.ts'
import { newRowId } from '#/db/row-id.ts'
import { fault } from '#/faults.ts'
import { deleteRow, insertChild } from '../kind/rows.ts'
import { locationOf } from './address-lots.ts'
import { noteSwitches } from './note-switches.ts'
import { addressKey } from './lot-blocks.ts'

export const bfd: Family<`networkingBfd${'Enable' | 'Disable'}`> = {
  async networkingBfdEnable(ctx, { body }) {
    permit(ctx)
    const { mode, detectionThreshold, requiredRx } = body
    const switchLocation = locationOf(body.switch)
    const { remoteKey, localKey } = ends(body)
    const all = await ctx.tx
      .selectFrom('bfdSession')
      .select(['switchLocation', 'remoteKey'])
      .limit(limits.bfd.sessions)
      .execute()
    if (all.some((one) => one.switchLocation === switchLocation && one.remoteKey === remoteKey))
      throw fault.conflict(`${switchLocation} has a BFD session with ${body.remote} already`)
    if (all.length >= limits.bfd.sessions)
      throw fault.invalid(`There may be no more than ${limits.bfd.sessions} BFD sessions`)
    const row = { switchLocation, remoteKey, localKey, mode, detectionThreshold, requiredRx }
    await noteSwitches(ctx, row)
    await insertChild(ctx, 'bfdSession', { id: newRowId(ctx.world), ...row })
    ctx.wake('switches')
  },

  async networkingBfdDisable(ctx, { body }) {
    permit(ctx)
    const row = await ctx.tx
      .selectFrom('bfdSession')
      .selectAll()
      .where('switchLocation', '=', locationOf(body.switch))
      .where('remoteKey', '=', addressKey(body.remote))
      .executeTakeFirst()
    if (!row) throw fault.notFound(kinds.bfdSession.type, body.remote)
    await noteSwitches(ctx, row)
    await deleteRow('bfdSession')(ctx, row)
    ctx.wake('switches')
  },
}

/** Throws 400 for a session that cannot be. */
function ends({ remote, local, detectionThreshold, requiredRx }: BodyOf<'networkingBfdEnable'>) {
  const remoteKey = addressKey(remote)
  const localKey = local == null ? null : addressKey(local)
  if (localKey !== null && fromKey(localKey).family !== fromKey(remoteKey).family)
    throw fault.invalid('local and remote must be in the same address family')
  if (detectionThreshold === 0) throw fault.invalid('detection_threshold: at least one packet must be missed')
  if (requiredRx === 0 || requiredRx > limits.bfd.requiredRx)
    throw fault.invalid(`required_rx: it must be from 1 to ${limits.bfd.requiredRx} µs`)
  return { remoteKey, localKey }
}
