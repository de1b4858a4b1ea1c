/** What has an id: for whoever may see it where it is, for operators which silo it belongs to. */
import { kinds, typeOf, type KindName } from '@purlin/contract/rules/kinds'
import { resolveAnything, resolveAnythingInFleet, type Anything } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { kindRows, rowsOf } from '#/db/kinds.ts'

export const lookUp: Family<'resourceLookUp' | 'systemResourceLookUp'> = {
  async resourceLookUp(ctx, { params }) {
    const found = await resolveAnything(ctx, params.resourceId)
    const parents = found.project ? await above(ctx, found.kind, found.row) : []
    return { ...(await inSilo(ctx, found)), name: found.row.name, parents }
  },

  async systemResourceLookUp(ctx, { params }) {
    return inSilo(ctx, await resolveAnythingInFleet(ctx, params.resourceId))
  },
}

async function inSilo({ tx }: Ctx, { kind, row, siloId, project }: Anything) {
  const silo = await tx.selectFrom('silo').select('name').where('id', '=', siloId).executeTakeFirstOrThrow()
  return { type: typeOf(kind, { projectId: project?.id ?? null }), id: row.id, siloId, siloName: silo.name }
}

/** What a row is in, from the project down. */
async function above(
  ctx: Ctx,
  kind: KindName,
  row: object,
): Promise<{ type: string; id: string; name: string }[]> {
  const { parent } = kinds[kind]
  const column = kindRows[kind].parent
  if (kind === 'project' || parent === null || column === null) return []
  const id = (row as Record<string, string>)[column] ?? ''
  const owner = await rowsOf(ctx.tx, parent).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return [...(await above(ctx, parent, owner)), { type: kinds[parent].type, id, name: owner.name }]
}
