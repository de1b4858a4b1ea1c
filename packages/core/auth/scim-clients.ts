/**
 * Programs that manage the users and groups of a silo (SCIM 2.0). Their tokens are for nothing else, and no session or
 * access token is for this.
 */
import { LRUCache } from 'lru-cache'
import type { ApiRequest } from '@purlin/contract/http'
import { limits } from '@purlin/contract/rules/limits'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { Actor, World } from '#/context.ts'
import { isOutage } from '#/db/engine.ts'
import { fault } from '#/faults.ts'
import { bearerOf } from './bearer.ts'
import { logActor } from './logged.ts'

export const scimTokenPrefix = 'purlin-scim-'

/** Uses of a token are stored this often, so that reads stay reads. */
const noteUseMs = 60_000
const maxTokens = 10_000

/** The client whose token a request carries; null without a valid one. */
export async function scimClientOf(world: World, request: ApiRequest): Promise<Actor | null> {
  const bearer = bearerOf(request.headers['authorization'])
  if (bearer?.startsWith(scimTokenPrefix) !== true) return null
  const tokenHash = world.passwords.fingerprint(bearer)
  const token = await world.engine.transaction('read', (tx) =>
    tx
      .selectFrom('scimToken')
      .innerJoin('silo', 'silo.id', 'scimToken.siloId')
      .select(['scimToken.id', 'scimToken.label', 'scimToken.timeExpires', 'scimToken.timeLastUsed'])
      .select(['silo.id as siloId', 'silo.name as siloName'])
      .where('scimToken.tokenHash', '=', tokenHash)
      .executeTakeFirst(),
  )
  const now = world.clock.now()
  if (!token || (token.timeExpires !== null && token.timeExpires <= now)) return null
  if (token.timeLastUsed === null || now - token.timeLastUsed >= noteUseMs) noteUse(world, token.id, now)
  const { id, label, siloId, siloName } = token
  const actor: Actor = {
    // Requests of all its tokens share the turns of the silo.
    userId: siloId,
    siloId,
    siloName,
    displayName: label === null ? 'SCIM client' : `SCIM client ${label}`,
    sessionId: id,
    authMethod: 'scim_token',
    scope: null,
    groupIds: [],
    siloRole: null,
    fleetRole: null,
    projectRoles: new Map(),
  }
  logActor(request.logged ?? {}, actor)
  return actor
}

function noteUse({ engine, log }: World, id: string, now: number): void {
  engine
    .transaction('write', (tx) =>
      tx.updateTable('scimToken').set({ timeLastUsed: now }).where('id', '=', id).execute(),
    )
    .catch((error: unknown) => {
      if (!isOutage(error)) log.warn({ error: String(error) }, 'use of a SCIM token not stored')
    })
}

/** Counts a request of a client. Throws 429 for one that sends too many. */
export const admitScimClient = (world: World, { sessionId }: Actor): void => ratesOf(world)(sessionId)

const ratesOf = memoizeByObject(createRates)

/** Requests that each token may still send at once. In memory: every server counts separately. */
function createRates({ clock }: World): (token: string) => void {
  const { burst, perSecond } = limits.scim
  const counts = new LRUCache<string, { left: number; at: number }>({
    maxSize: maxTokens,
    sizeCalculation: () => 1,
  })
  return (token) => {
    const now = clock.now()
    const { left, at } = counts.get(token) ?? { left: burst, at: now }
    const regained = Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond)
    if (regained < 1) throw fault.tooManyRequests(1)
    counts.set(token, { left: regained - 1, at: now })
  }
}
