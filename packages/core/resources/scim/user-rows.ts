/** Users as an identity system sees them, and the rows that have them. */
import type { Ctx } from '#/context.ts'
import { insertRows } from '#/db/prepared.ts'
import { addPrincipalWords, nameKeyOf, forgetPrincipalWords } from '#/db/rows/principals.ts'
import type { SiloUserTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { coreSchema, locationOf, metaOf, type Resource } from './answers.ts'
import { emailsOfType, typeKeyOf } from './filters.ts'
import type { Email, Profile, UserAttributes } from './user-attributes.ts'

/** A group that a user is a member of. */
export interface Membership {
  userId: string
  groupId: string
  displayName: string
}

const profileOf = ({ profileJson }: Pick<SiloUserTable, 'profileJson'>): Profile =>
  profileJson === null ? { name: {}, emails: [] } : (JSON.parse(profileJson) as Profile)

/** The name by which people know a user, and the address; undefined where the identity system does not say. */
export function personOf(row: Pick<SiloUserTable, 'profileJson'>): { fullName?: string; email?: string } {
  const { displayName, name, emails } = profileOf(row)
  const parts = [name.givenName, name.familyName].filter((part) => part !== undefined).join(' ')
  const fullName = displayName ?? name.formatted ?? (parts === '' ? undefined : parts)
  const email = (emails.find(({ primary }) => primary) ?? emails[0])?.value
  return { ...(fullName === undefined ? {} : { fullName }), ...(email === undefined ? {} : { email }) }
}

/** The attributes that a row has. */
export const attributesOf = (row: SiloUserTable): UserAttributes => ({
  ...profileOf(row),
  userName: row.displayName,
  externalId: row.providerKey,
  active: row.timeDeactivated === null,
})

/** The row with attributes. `now` is when a user who was active becomes inactive. */
export function withAttributes(row: SiloUserTable, user: UserAttributes, now: number): SiloUserTable {
  const { userName, externalId, active, ...profile } = user
  return {
    ...row,
    externalId: userName,
    displayName: userName,
    nameKey: nameKeyOf(userName),
    providerKey: externalId,
    timeDeactivated: active ? null : (row.timeDeactivated ?? now),
    profileJson: JSON.stringify(profile),
  }
}

/** Refuses a name that another user of the silo has, in any case. Throws 409. */
export async function checkUserName(tx: Tx, row: SiloUserTable): Promise<void> {
  const taken = await tx
    .selectFrom('siloUser')
    .select('id')
    .where('siloId', '=', row.siloId)
    .where('id', '!=', row.id)
    .where((eb) => eb.or([eb('nameKey', '=', row.nameKey), eb('externalId', '=', row.externalId)]))
    .limit(1)
    .executeTakeFirst()
  if (taken) throw fault.scim('uniqueness', 'another user has this userName')
}

/** Lets a user be found by the words of the names, and identity systems by display name and address. */
export async function indexUser(tx: Tx, row: SiloUserTable): Promise<void> {
  const { id, siloId } = row
  await forgetPrincipalWords(tx, id)
  await tx.deleteFrom('principalKey').where('principalId', '=', id).execute()
  const { fullName = '' } = personOf(row)
  await addPrincipalWords(tx, [{ id, siloId, displayName: `${row.displayName} ${fullName}` }])
  const { displayName, emails } = profileOf(row)
  const keys = new Set([
    ...(displayName === undefined ? [] : [keyOf('displayname', displayName)]),
    ...emails.flatMap(keysOfEmail),
  ])
  const rows = [...keys].map((key) => {
    const [attribute = '', ...value] = key.split(' ')
    return { siloId, attribute, value: value.join(' '), principalId: id }
  })
  await insertRows(tx, 'principalKey', rows)
}

const keyOf = (attribute: string, value: string) => `${attribute} ${nameKeyOf(value)}`
const keysOfEmail = ({ value, type, primary }: Email): string[] => [
  keyOf('emails', value),
  ...(type === undefined ? [] : [keyOf(emailsOfType + typeKeyOf(type), value)]),
  ...(primary ? [keyOf('emails:primary', value)] : []),
]

/** A user as answers have one. */
export function userResource(ctx: Ctx, row: SiloUserTable, groups?: readonly Membership[]): Resource {
  const { displayName, name, emails } = profileOf(row)
  return {
    schemas: [coreSchema('User')],
    id: row.id,
    ...(row.providerKey === null ? {} : { externalId: row.providerKey }),
    userName: row.displayName,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...(displayName === undefined ? {} : { displayName }),
    ...(emails.length === 0 ? {} : { emails }),
    active: row.timeDeactivated === null,
    ...(groups && {
      groups: groups.map(({ groupId, displayName: display }) => ({
        value: groupId,
        $ref: locationOf(ctx, `Groups/${groupId}`),
        display,
        type: 'direct',
      })),
    }),
    meta: metaOf(ctx, 'User', row),
  }
}
