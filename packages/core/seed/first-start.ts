/** The first silo and its administrator, without whom no one could sign in. */
import type { World } from '#/context.ts'
import { newPasswordProblem, randomPassword } from '#/auth/sign-in/new-passwords.ts'
import { UniqueViolation } from '#/db/engine.ts'
import type { Tx } from '#/db/tables.ts'
import { createSilo, createUser, grant } from './rows.ts'

export interface AdminSettings {
  silo: string
  user: string
  /** A random one is made if undefined. */
  password: string | undefined
}
export interface FirstAdmin {
  silo: string
  user: string
  /** Only if it was generated here: it is not shown again. */
  oneTimePassword: string | null
}

/**
 * Makes silo and administrator in an empty database; null if there is a silo already. Throws for a password that is
 * refused.
 */
export async function firstStart(world: World, settings: AdminSettings): Promise<FirstAdmin | null> {
  if (!(await world.engine.transaction('read', isEmpty))) return null
  const password = settings.password ?? randomPassword(world.ids)
  const problem = await newPasswordProblem(world, { password, username: settings.user })
  if (problem !== undefined) throw new Error(`the password of the administrator ${problem}`)
  const hash = await world.passwords.hash(password)
  const isMade = await world.engine
    .transaction('write', (tx) => populate(world, tx, { ...settings, hash }))
    .catch(raced)
  return isMade
    ? {
        silo: settings.silo,
        user: settings.user,
        oneTimePassword: settings.password === undefined ? password : null,
      }
    : null
}

// Several servers may start on one database at the same moment: the first to commit has made it.
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
