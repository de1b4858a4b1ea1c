/** Verifies the chain of hashes of the audit log. */
import type { World } from '#/context.ts'
import { readChain } from '#/db/rows/audit-chain.ts'
import { hashOf } from './chain.ts'
import { timeOf } from './sequence.ts'

const perTransaction = 1_000

export interface Verified {
  entries: number
  /** Of the first and the last entry, ms since 1970; null for an empty log. */
  first: number | null
  last: number | null
  /** The hash of the last entry, hex. An operator who stores it elsewhere detects a log that was rewritten. */
  head: string
  /** True if the given hash is that of an entry, or the one that the first entry follows. */
  hasHead: boolean
  /** The first problem; undefined for an unbroken chain. */
  problem: string | undefined
}

/** Reads the whole log, oldest entry first, and compares each hash. `head` is a hash that it had once. */
export async function verifyAuditLog(
  world: Pick<World, 'engine' | 'sha256'>,
  head?: string,
): Promise<Verified> {
  const found: Verified = {
    entries: 0,
    first: null,
    last: null,
    head: '',
    hasHead: head === undefined,
    problem: undefined,
  }
  // A hash of a removed entry before the first one would be found here.
  for (let seq = -1; ;) {
    const { rows, chain } = await after(world, seq)
    if (seq === -1) found.head = chain.firstHash
    found.hasHead ||= found.head === head
    for (const { hash, ...entry } of rows) {
      if (hashOf(world, found.head, entry) !== hash)
        return {
          ...found,
          problem: `entry ${entry.id} was changed, or does not follow the entry before it`,
        }
      seq = entry.seq
      found.head = hash
      found.hasHead ||= hash === head
      found.entries++
      found.first ??= timeOf(seq)
      found.last = timeOf(seq)
    }
    if (rows.length < perTransaction) return { ...found, problem: problemOf(found, chain) }
  }
}

/** The next entries, and the ends of the chain at that moment. */
const after = ({ engine }: Pick<World, 'engine'>, seq: number) =>
  engine.transaction('read', async (tx) => {
    const entries = tx.selectFrom('auditEntry').selectAll().where('seq', '>', seq)
    const rows = await entries.orderBy('seq').limit(perTransaction).execute()
    return { rows, chain: await readChain(tx, false) }
  })

function problemOf(
  { entries, head, hasHead }: Verified,
  chain: { lastHash: string; entries: number },
): string | undefined {
  if (head !== chain.lastHash) return 'entries at the end are missing'
  if (entries !== chain.entries)
    return `there are ${entries} entries where ${chain.entries} have been written`
  return hasHead ? undefined : 'no entry has the given hash'
}
