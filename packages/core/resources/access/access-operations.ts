/** The operations, as questions about access name them. */
import { titleOf } from '@purlin/contract/about/operations'
import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { snake } from '@purlin/contract/wire'
import { wordsOf } from '#/auth/access.ts'
import { permit } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { pageByKey } from '#/db/lists/pages.ts'

type Level = 'project' | 'silo' | 'fleet'

/** The level of an operation: the resource that its roles are on; the silo if it needs none. */
function levelsOf({ allow, orSilo }: OpShape): Level[] {
  const levels = new Set(wordsOf(allow).map((word) => (word.includes('.') ? word.split('.')[0] : 'silo')))
  if (orSilo) levels.add('silo')
  return (['project', 'silo', 'fleet'] as const).filter((level) => levels.has(level))
}

const listed = (Object.entries(operations) as [OperationName, OpShape][])
  .map(([name, op]) => ({
    operation: snake(name),
    summary: titleOf(name),
    levels: levelsOf(op),
    allow: [...wordsOf(op.allow)],
    ...(op.alsoNeeds === undefined ? {} : { alsoNeeds: op.alsoNeeds }),
  }))
  .toSorted((a, b) => (a.operation < b.operation ? -1 : 1))

export const accessOperations: Family<'accessOperationList'> = {
  accessOperationList(ctx, { query }) {
    permit(ctx)
    return Promise.resolve(pageByKey(ctx, query, { items: listed, keyOf: ({ operation }) => operation }))
  },
}
