/** Looks up a resource by id: its name and parents for users who may see it, its silo for operators. */
import { kinds, typeOf, type KindName } from '@purlin/contract/rules/kinds'
import { resolveAnything, resolveAnythingInFleet, type Anything } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { kindRows, rowsOf } from '#/db/kinds.ts'

export const lookUp: Family<'resourceLookUp' | 'systemResourceLookUp'> = {
  async resourceLookUp(ctx, { params }) {
    const found = await resolveAnything(ctx, params.resourceId)
    const parents = found.project ? await above(ctx, [found.kind, found.row]) : []
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

/** The parents of a resource. */
export interface Parent {
  type: string
  id: string
  name: string
}

/** The parents of a row, from the project down. `known` caches them for rows with the same parent. */
export async function above(
  ctx: Ctx,
  [kind, row]: [KindName, object],
  known = new Map<string, Parent[]>(),
): Promise<Parent[]> {
  const { parent } = kinds[kind]
  const column = kindRows[kind].parent
  if (kind === 'project' || parent === null || column === null) return []
  const id = String(Reflect.get(row, column) ?? '')
  const found = known.get(id)
  if (found) return found
  const owner = await rowsOf(ctx.tx, parent).selectAll().where('id', '=', id).executeTakeFirst()
  // An image of the silo is in no project.
  const parents = owner
    ? [...(await above(ctx, [parent, owner], known)), { type: kinds[parent].type, id, name: owner.name }]
    : []
  known.set(id, parents)
  return parents
}
