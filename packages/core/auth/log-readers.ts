/** Which entries of the audit log are about a silo, and which of them its viewers may read. */
import { keysOf } from '@purlin/contract/rules/keys'
import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { kinds } from '@purlin/contract/rules/kinds'
import { snake } from '@purlin/contract/wire'
import { sql, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely'
import { wordsOf } from './access.ts'
import type { Tables } from '#/db/tables.ts'

type Entries = ExpressionBuilder<Tables, 'auditEntry'>

const named = (matches: (allow: OpShape['allow'], name: OperationName) => boolean): string[] =>
  keysOf(operations)
    .filter((name) => matches(operations[name].allow, name))
    .map((name) => snake(name))

const every = (allow: OpShape['allow'], level: string): boolean =>
  wordsOf(allow).every((word) => word.startsWith(level))

/** They are about the fleet, unless their entry names a silo. */
export const ofFleet = named((allow) => every(allow, 'fleet.'))

/**
 * Operations on what every viewer of the silo may read. Those on the contents of projects are readable as well. A new
 * operation is not, until it is listed: sign-ins, credentials, tasks and settings of a user are for administrators.
 */
const onWhatViewersRead: readonly OperationName[] = [
  'authSettingsUpdate',
  'imageDemote',
  'imagePromote',
  'localIdpGroupCreate',
  'localIdpGroupDelete',
  'localIdpGroupMemberRemove',
  'localIdpGroupMembersAdd',
  'localIdpGroupUpdate',
  'localIdpUserActivate',
  'localIdpUserCreate',
  'localIdpUserDeactivate',
  'localIdpUserDelete',
  'policyUpdate',
  'projectCreate',
  'siloCreate',
  'siloDelete',
  'siloPolicyUpdate',
  'siloQuotasUpdate',
  'siloUpdate',
]

/** The names, as entries have them, of the operations whose entries a viewer may read. */
export const readByViewers: readonly string[] = named(
  (allow, name) => every(allow, 'project.') || onWhatViewersRead.includes(name),
)

/** A condition: the column contains the text. */
export const contains = (column: RawBuilder<unknown>, text: string) =>
  sql<SqlBool>`${column} like ${`%${text.replaceAll(/[%_!]/g, '!$&')}%`} escape '!'`

/** A condition: an object of the entry has this type and, if it is given, this id. */
export const hasObject = (type: string, id?: string) =>
  // Quotes in names are escaped, so that no name contains this.
  contains(sql.ref('detailsJson'), `[${JSON.stringify(type)},"${id === undefined ? '' : `${id}"`}`)

/** A condition: the entry is about the silo. What its users do to other silos or to the fleet is not. */
export const isAboutSilo =
  (siloId: string) =>
  (eb: Entries): ReturnType<Entries['or']> =>
    eb.or([
      eb('otherSiloId', '=', siloId),
      eb.and([
        eb('siloId', '=', siloId),
        eb('otherSiloId', 'is', null),
        eb.or([eb('operation', 'not in', ofFleet), hasObject(kinds.silo.type, siloId)]),
      ]),
    ])
