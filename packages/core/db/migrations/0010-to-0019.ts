import { sql } from 'kysely'
import { createSearchIndex } from './search.ts'
import { id, identity, type Db, type EngineName, type Step } from './step.ts'

/** The columns that an entry of the audit log has before it is in the chain. */
const auditColumns = {
  id: 't',
  requestId: 't',
  timeStarted: 'i',
  operation: 't',
  actorId: 't?',
  siloId: 't?',
  otherSiloId: 't?',
  sourceIp: 't',
  userAgent: 't?',
  status: 'i',
  detailsJson: 't',
} as const

export const steps0010to0019 = [
  { name: '0010-less-conflicts', fill: avoidConflicts },
  {
    name: '0011-roles-that-expire',
    columns: { roleAssignment: { columns: { timeExpires: 'i?' }, index: [['timeExpires']] } },
    tables: {
      principalWord: {
        columns: { siloId: 't', word: 't', principalId: 't' },
        key: ['siloId', 'word', 'principalId'],
        index: [['principalId']],
      },
    },
    fill: fillPrincipals,
  },
  {
    name: '0012-audit-log',
    tables: {
      auditPending: { columns: { ...auditColumns, at: 'i', keys: 't' }, key: id },
      auditEntry: {
        columns: { seq: 'i', ...auditColumns, hash: 't' },
        key: ['seq'],
        index: [
          ['operation', 'seq'],
          ['actorId', 'seq'],
        ],
      },
      auditKey: { columns: { key: 't', seq: 'i' }, key: ['key', 'seq'], inOrderOfKey: true },
      auditChain: {
        columns: { name: 't', firstSeq: 'i', firstHash: 't', lastSeq: 'i', lastHash: 't', entries: 'i' },
        key: ['name'],
      },
    },
    fill: beginChain,
  },
  {
    name: '0013-search',
    tables: { searchText: { columns: { id: 't', kind: 't', words: 't' }, key: id, isNumbered: true } },
    // Addresses are matched as a whole.
    columns: {
      networkInterface: { columns: {}, index: [['ipKey'], ['mac']] },
      externalIp: { columns: {}, index: [['ipKey']] },
    },
    fill: createSearchIndex,
  },
  {
    name: '0014-certificates',
    tables: {
      certificate: {
        columns: {
          ...identity,
          siloId: 't',
          certPem: 't',
          keyPem: 't',
          subject: 't',
          issuer: 't',
          dnsNamesJson: 't',
          notBefore: 'i',
          notAfter: 'i',
        },
        key: id,
        unique: [['siloId', 'name']],
        index: [['siloId', 'id'], ['notAfter']],
      },
    },
  },
  {
    name: '0015-told-expiry',
    columns: { certificate: { columns: { toldStage: 'i?' } } },
  },
  {
    name: '0016-access-tokens',
    columns: { silo: { columns: { deviceTokenMaxTtl: 'i?' } } },
    tables: {
      accessToken: {
        columns: { siloUserId: 't', id: 't', tokenHash: 't', timeCreated: 'i', timeExpires: 'i?' },
        key: ['siloUserId', 'id'],
        unique: [['tokenHash']],
        index: [['timeExpires']],
      },
      deviceRequest: {
        columns: {
          id: 't',
          deviceCodeHash: 't',
          userCodeHash: 't',
          clientId: 't',
          ttl: 'i?',
          siloUserId: 't?',
          timeCreated: 'i',
        },
        key: id,
        unique: [['deviceCodeHash'], ['userCodeHash']],
        index: [['siloUserId'], ['timeCreated']],
      },
    },
  },
  {
    name: '0017-tasks',
    tables: {
      task: {
        columns: {
          id: 't',
          userId: 't',
          at: 'i',
          sessionId: 't',
          remote: 't',
          kind: 't',
          action: 't',
          groupId: 't?',
          retryOf: 't?',
          state: 't',
          total: 'i',
          leaseUntil: 'i',
          timeStarted: 'i?',
          timeEnded: 'i?',
          countsJson: 't?',
          message: 't?',
        },
        key: ['userId', 'id'],
        unique: [['userId', 'at']],
        index: [['timeEnded', 'at']],
      },
      taskItem: {
        columns: {
          taskId: 't',
          position: 'i',
          itemId: 't',
          name: 't',
          inProject: 't?',
          state: 't',
          code: 't?',
          message: 't?',
          timeCompleted: 'i?',
        },
        key: ['taskId', 'position'],
        inOrderOfKey: true,
        index: [['taskId', 'state', 'position']],
      },
    },
  },
  {
    name: '0018-scim-tokens',
    tables: {
      scimToken: {
        columns: { id: 't', siloId: 't', tokenHash: 't', timeCreated: 'i', timeExpires: 'i?' },
        key: id,
        unique: [['tokenHash']],
        index: [['siloId', 'timeCreated']],
      },
    },
  },
  {
    name: '0019-instances-of-silos',
    columns: { instance: { columns: {}, index: [['siloId', 'name', 'id']] } },
  },
] as const satisfies readonly Step[]

// Their rows change with most requests.
const busyTables = ['project', 'vpcSubnet', 'tally', 'usage', 'ipPoolRange']

/**
 * Allocation of addresses looks for whole ones in an index without blocks of source NAT. Rows that change often have
 * room for their next version in the same page: one in another page is a new entry in every index, which conflicts with
 * all transactions that read there.
 */
async function avoidConflicts(db: Db, { engine }: { engine: EngineName }): Promise<void> {
  await db.schema
    .createIndex('externalIp_whole')
    .on('externalIp')
    .columns(['ipPoolId', 'ipKey'])
    .where(sql.ref('kind'), '!=', sql.lit('snat'))
    .execute()
  if (engine !== 'postgres') return
  for (const name of busyTables) await sql`alter table ${sql.table(name)} set (fillfactor = 40)`.execute(db)
}

type Principals = {
  siloUser: { id: string; siloId: string; displayName: string }
  siloGroup: { id: string; siloId: string; displayName: string }
  principalWord: { siloId: string; word: string; principalId: string }
}

/** Users and groups are found by the words of their names. The roles of deleted ones are deleted. */
async function fillPrincipals(db: Db): Promise<void> {
  const known = db.$extendTables<Principals>()
  for (const [identityType, table] of [
    ['silo_user', 'siloUser'],
    ['silo_group', 'siloGroup'],
  ] as const) {
    const all = await known.selectFrom(table).select(['id', 'siloId', 'displayName']).execute()
    const rows = all.flatMap(({ id: principalId, siloId, displayName }) =>
      wordsOfName(displayName).map((word) => ({ siloId, word, principalId })),
    )
    const perInsert = 500
    for (let at = 0; at < rows.length; at += perInsert)
      await known
        .insertInto('principalWord')
        .values(rows.slice(at, at + perInsert))
        .execute()
    await sql`delete from ${sql.table('roleAssignment')} where ${sql.ref('identityType')} = ${identityType}
      and ${sql.ref('identityId')} not in (select id from ${sql.table(table)})`.execute(db)
  }
}

const wordsOfName = (text: string): string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))].map((word) => word.slice(0, 64)).slice(0, 16)

/** Makes the two ends of the chain of the audit log's hashes, before its first entry. */
async function beginChain(db: Db): Promise<void> {
  const origin = '0'.repeat(64)
  await db
    .$extendTables<{ auditChain: Record<string, string | number> }>()
    .insertInto('auditChain')
    .values({ name: 'log', firstSeq: 0, firstHash: origin, lastSeq: 0, lastHash: origin, entries: 0 })
    .execute()
}
