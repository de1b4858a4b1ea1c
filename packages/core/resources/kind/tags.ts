/** Changes of some tags of a resource, and the tags that are in use. */
import { listOf } from '@purlin/contract/operations'
import { isInProject, kindsWith, type KindWith } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import type { TaskTags } from '@purlin/contract/rules/tasks'
import { sql } from 'kysely'
import { hasFleetRole, permits } from '#/auth/access.ts'
import { resolve, resolveScope, type Scope } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { limitOf } from '#/db/lists/list.ts'
import { lastOf, nextToken } from '#/db/lists/page-token.ts'
import { storedTags, tagsIn } from '#/db/rows/tags.ts'
import type { Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { updateNamed } from './rows.ts'

type Tagged = KindWith<'isTagged'>

/** The tags of a resource after a change. Throws 400 for one too many. */
function changedTags(before: Readonly<Record<string, string>>, { set, remove }: TaskTags) {
  const removed = new Set(remove)
  const kept = Object.entries(before).filter(([key]) => !removed.has(key))
  const after = Object.fromEntries([...kept, ...Object.entries(set ?? {})])
  const count = Object.keys(after).length
  if (count > limits.tags.count)
    throw fault.invalid(`it would have ${count} tags, and ${limits.tags.count} are the most`)
  return after
}

/** Throws 400 for a change of nothing, and for a key that is both set and removed. */
export function checkTagChange({ set, remove }: TaskTags): void {
  const keys = Object.keys(set ?? {})
  storedTags(set ?? {})
  if (keys.length === 0 && !remove?.length) throw fault.invalid('either `set` or `remove` must have a tag')
  const both = keys.find((key) => remove?.includes(key))
  if (both !== undefined) throw fault.invalidValue('remove', `\`${both}\` is set as well`)
}

async function change(
  ctx: Ctx,
  kind: Tagged,
  { params, query = {}, body }: { params: object; query?: object; body: BodyOf<'diskTagsChange'> },
) {
  const row = await resolve(ctx, kind, { ...params, ...query } as Parameters<typeof resolve<Tagged>>[2])
  checkTagChange(body)
  const tags = changedTags(tagsIn(row.tagsJson), body)
  const tagsJson = storedTags(tags)
  if (tagsJson !== row.tagsJson) await updateNamed(ctx, [kind, row], { tagsJson, timeModified: ctx.now })
  return { tags }
}

export const tags: Family<`${Tagged}TagsChange` | 'tagList'> = {
  instanceTagsChange: (ctx, input) => change(ctx, 'instance', input),
  diskTagsChange: (ctx, input) => change(ctx, 'disk', input),
  snapshotTagsChange: (ctx, input) => change(ctx, 'snapshot', input),
  instanceSnapshotTagsChange: (ctx, input) => change(ctx, 'instanceSnapshot', input),
  userDataTemplateTagsChange: (ctx, input) => change(ctx, 'userDataTemplate', input),
  imageTagsChange: (ctx, input) => change(ctx, 'image', input),
  floatingIpTagsChange: (ctx, input) => change(ctx, 'floatingIp', input),
  vpcTagsChange: (ctx, input) => change(ctx, 'vpc', input),
  projectTagsChange: (ctx, input) => change(ctx, 'project', input),
  vpcSubnetTagsChange: (ctx, input) => change(ctx, 'vpcSubnet', input),
  vpcRouterTagsChange: (ctx, input) => change(ctx, 'vpcRouter', input),
  internetGatewayTagsChange: (ctx, input) => change(ctx, 'internetGateway', input),
  affinityGroupTagsChange: (ctx, input) => change(ctx, 'affinityGroup', input),
  antiAffinityGroupTagsChange: (ctx, input) => change(ctx, 'antiAffinityGroup', input),
  scheduleTagsChange: (ctx, input) => change(ctx, 'schedule', input),
  probeTagsChange: (ctx, input) => change(ctx, 'probe', input),

  async tagList(ctx, { query }) {
    const scope = await resolveScope(ctx, query)
    const { tag: key, prefix = '' } = query
    const count = Math.min(limitOf(query), limits.page.withDetails)
    const column = key === undefined ? 'key' : 'value'
    const found: string[] = []
    let last = query.pageToken ? String(lastOf(query.pageToken, { columns: [column] })[0]) : undefined
    // Each step is a look into the index for each kind, however many resources have the tag.
    while (found.length <= count) {
      const next = await nextIn(ctx.tx, { holder: scope.id, kinds: kindsIn(ctx, scope), key, prefix, last })
      if (next === undefined) break
      found.push(next)
      last = next
    }
    const items = found.slice(0, count)
    const end = items.at(-1)
    return {
      items: items.map((one) => (key === undefined ? { key: one } : { key, value: one })),
      nextPage: found.length > count && end !== undefined ? nextToken(ctx, [end]) : null,
    }
  },
}

/** The kinds whose tags are those of a scope. Members of single projects do not see the tags of others. */
const kindsIn = ({ actor }: Ctx, { projectId }: Scope): Tagged[] =>
  kindsWith('isTagged').filter((kind) => {
    // Operators alone see probes.
    if (projectId !== null) return isInProject(kind) && hasFleetRole(actor, listOf(kind))
    return kind === 'image' || (kind === 'project' && permits(actor, 'silo.viewer'))
  })

interface Step {
  holder: string
  kinds: readonly Tagged[]
  key: string | undefined
  prefix: string
  last: string | undefined
}

/** Follows all texts that begin with another one, in the order of bytes. */
const beyond = '\u{10FFFF}'

/** The next key or, of a key, value in order. */
async function nextIn(tx: Tx, { holder, kinds: some, key, prefix, last }: Step): Promise<string | undefined> {
  const column = key === undefined ? 'key' : 'value'
  const each = some.map((kind) =>
    tx
      .selectFrom('tag')
      .select((eb) => eb.fn.min(column).as('next'))
      .where('holderId', '=', holder)
      .where('kind', '=', kind)
      .$if(key !== undefined, (rows) => rows.where('key', '=', key ?? ''))
      .where(column, last === undefined ? '>=' : '>', last ?? prefix)
      .where(column, '<', prefix + beyond),
  )
  const [first, ...others] = each
  if (!first) return undefined
  const all = others.reduce((rows, one) => rows.unionAll(one), first)
  const row = await tx
    .selectFrom(all.as('all'))
    .select(sql<string | null>`min(${sql.ref('all.next')})`.as('next'))
    .executeTakeFirst()
  return row?.next ?? undefined
}
