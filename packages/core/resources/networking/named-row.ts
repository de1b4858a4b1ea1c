/** Rows that the body of a request refers to. */
import { canonicalUuid, isUuid } from '@purlin/contract/rules/names'
import type { Ctx } from '#/context.ts'
import type { RowOf } from '#/db/kinds.ts'
import { rowBy } from '#/auth/row-queries.ts'

/** The row with a name or id; undefined if there is none. The permission has been checked. */
export const namedRow = <K extends 'addressLot' | 'bgpConfig' | 'switchPortSettings'>(
  ctx: Ctx,
  kind: K,
  nameOrId: string,
): Promise<RowOf<K> | undefined> =>
  rowBy(ctx, kind, isUuid(nameOrId) ? { id: canonicalUuid(nameOrId) } : { name: nameOrId })
