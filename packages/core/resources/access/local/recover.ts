/** Gives a local user a new password from the machine of a server, for those whose password is lost. */
import { withoutRequest, type World } from '#/context.ts'
import { ownRecord } from '#/audit/own-records.ts'
import { insertRow } from '#/db/prepared.ts'
import type { SiloTable, SiloUserTable, Tx } from '#/db/tables.ts'
import { endAllOf } from '#/auth/sessions.ts'
import { randomPassword } from '#/auth/sign-in/new-passwords.ts'
import { removeFactors } from '../second-factors/factors.ts'

/** The ports that it needs. */
export type Recovering = Pick<World, 'engine' | 'ids' | 'clock' | 'passwords'>
type Account = Record<'silo' | 'user', string>
interface Found {
  silo: Pick<SiloTable, 'id' | 'name' | 'identityMode'>
  user: Pick<SiloUserTable, 'id' | 'displayName'>
}

/**
 * Lets a local user sign in with a new password alone, also one who was deactivated: ends all sessions and access tokens of
 * that user, deletes the second factors, and records it in the audit log. Returns the password. Throws if there is no such
 * user.
 */
export async function recoverUser(world: Recovering, account: Account): Promise<string> {
  const { engine, clock, ids, passwords } = world
  await engine.transaction('read', (tx) => find(tx, account))
  const password = randomPassword(ids)
  const passwordHash = await passwords.hash(password)
  await engine.transaction('write', async (tx) => {
    const found = await find(tx, account)
    const { id } = found.user
    const now = clock.now()
    const set = { passwordHash, timeDeactivated: null, timeModified: now }
    await tx.updateTable('siloUser').set(set).where('id', '=', id).execute()
    await endAllOf(tx, { id })
    await removeFactors(withoutRequest(tx), id)
    await insertRow(tx, 'auditPending', recordOf(world, found))
  })
  return password
}

async function find(tx: Tx, account: Account): Promise<Found> {
  const silo = await tx
    .selectFrom('silo')
    .select(['id', 'name', 'identityMode'])
    .where('name', '=', account.silo)
    .executeTakeFirst()
  if (!silo) throw new Error(`there is no silo "${account.silo}"`)
  if (silo.identityMode !== 'local_only')
    throw new Error(`the users of silo "${silo.name}" sign in with an identity provider`)
  const user = await tx
    .selectFrom('siloUser')
    .select(['id', 'displayName'])
    .where('siloId', '=', silo.id)
    .where('externalId', '=', account.user)
    .where('isServiceAccount', 'is', null)
    .executeTakeFirst()
  if (!user) throw new Error(`silo "${silo.name}" has no user "${account.user}"`)
  return { silo, user }
}

function recordOf(world: Recovering, { silo, user }: Found) {
  const name = user.displayName
  return ownRecord(world, {
    operation: 'local_user_recover',
    by: 'npm run recover',
    silo,
    touched: [{ type: 'silo-user', id: user.id, before: name, after: name }],
  })
}
