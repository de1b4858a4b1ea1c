/** Views of lists. Only their user can see them, and they are deleted with the user. */
import type { ListedType } from '@purlin/contract/operations/lists/list-views'
import { permit } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { fault } from '#/faults.ts'

type Views = BodyOf<'currentUserListViewsUpdate'>

const viewsIn = (row: { viewsJson: string }) => JSON.parse(row.viewsJson) as Views

const rowsOf = ({ tx, actor }: Ctx, kind: ListedType) =>
  tx.selectFrom('listView').select('viewsJson').where('userId', '=', actor.userId).where('kind', '=', kind)

/** Throws 400 for a view without a name or with that of another. */
function checkNames({ views }: Views): void {
  const names = new Set<string>()
  for (const [i, { name }] of views.entries()) {
    const field = `views[${i}].name`
    if (name.trim() === '') throw fault.invalidValue(field, 'a view needs a name')
    if (names.has(name.trim())) throw fault.invalidValue(field, `another view is called "${name.trim()}"`)
    names.add(name.trim())
  }
}

export const listViews: Family<
  'currentUserListViewsView' | 'currentUserListViewsUpdate' | 'currentUserListViewsOfAllKinds'
> = {
  async currentUserListViewsView(ctx, { query: { kind } }) {
    permit(ctx)
    const row = await rowsOf(ctx, kind).executeTakeFirst()
    return row ? viewsIn(row) : { views: [] }
  },

  async currentUserListViewsOfAllKinds(ctx) {
    permit(ctx)
    const rows = await ctx.tx
      .selectFrom('listView')
      .select(['kind', 'viewsJson'])
      .where('userId', '=', ctx.actor.userId)
      .orderBy('kind')
      .execute()
    return {
      kinds: rows.map((row) => ({ kind: row.kind, ...viewsIn(row) })),
    }
  },

  async currentUserListViewsUpdate(ctx, { query: { kind }, body }) {
    permit(ctx)
    checkNames(body)
    const viewsJson = JSON.stringify(body)
    await ctx.tx
      .insertInto('listView')
      .values({ userId: ctx.actor.userId, kind, viewsJson })
      .onConflict((on) => on.columns(['userId', 'kind']).doUpdateSet({ viewsJson }))
      .execute()
    return body
  },
}
