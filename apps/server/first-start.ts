/** The first silo and its administrator, so that somebody can sign in. */
import type { World } from '@purlin/core/context'
import { UniqueViolation } from '@purlin/core/db/engine'
import type { Tx } from '@purlin/core/db/tables'
import { createSilo, createUser, grant } from '@purlin/core/seed/rows'

export interface AdminWish {
  silo: string
  user: string
  /** A random one is made if undefined. */
  password: string | undefined
}
export interface FirstAdmin {
  silo: string
  user: string
  /** Only if it was made here: the one time that anybody sees it. */
  oneTimePassword: string | null
}

/** Makes silo and administrator in an empty database; null if there is a silo already. */
export async function firstStart(world: World, wish: AdminWish): Promise<FirstAdmin | null> {
  if (!(await world.engine.transaction('read', isEmpty))) return null
  const password = wish.password ?? randomPassword(world)
  const hash = await world.passwords.hash(password)
  const isMade = await world.engine
    .transaction('write', (tx) => populate(world, tx, { ...wish, hash }))
    .catch(raced)
  return isMade
    ? { silo: wish.silo, user: wish.user, oneTimePassword: wish.password === undefined ? password : null }
    : null
}

// Several servers may start on one database at the same moment: whoever commits first has made it.
async function populate(
  world: World,
  tx: Tx,
  admin: { silo: string; user: string; hash: string },
): Promise<boolean> {
  if (!(await isEmpty(tx))) return false
  const description = 'The silo of the first start'
  const siloId = await createSilo(world, tx, {
    name: admin.silo,
    description,
    mappedFleetRoles: { admin: ['admin'] },
  })
  const identityId = await createUser(world, tx, { siloId, name: admin.user, passwordHash: admin.hash })
  await grant(tx, {
    resourceType: 'silo',
    resourceId: siloId,
    identityType: 'silo_user',
    identityId,
    roleName: 'admin',
  })
  return true
}

function raced(error: unknown): boolean {
  if (error instanceof UniqueViolation) return false
  throw error
}

const isEmpty = async (tx: Tx) =>
  (await tx.selectFrom('silo').select('id').limit(1).executeTakeFirst()) === undefined

// 32 characters that nobody confuses, five bits each: 20 of them have 100 random bits.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function randomPassword(world: World): string {
  const letters = Array.from(world.ids.bytes(20), (byte) => alphabet[byte % alphabet.length]).join('')
  return letters.replaceAll(/.{5}(?=.)/g, '$&-')
}
