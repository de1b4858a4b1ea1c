/** Affinity and anti-affinity groups of a project. They share a table and their handlers. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { kinds } from '@purlin/contract/rules/kinds'
import { instanceAnswer } from '@purlin/contract/rules/states'
import { listChanges } from '#/audit/field-texts.ts'
import { noteChanges } from '#/audit/touched.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { AffinityGroupTable, InstanceTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import { resolve, resolveToRead, type Selector } from '#/auth/resolve.ts'
import { kindRows, type RowOf } from '#/db/kinds.ts'
import { plain } from '../kind/plain.ts'
import { deleteRow, identityView, insertNamed, newIdentity, newTags } from '../kind/rows.ts'

type GroupKind = 'affinityGroup' | 'antiAffinityGroup'
/** The value of column `kind` for groups of this kind. */
const columnOf = (kind: GroupKind) => kindRows[kind].where.kind

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const groupView = (row: Listed<'affinityGroup'>) => ({
  ...identityView(row),
  projectId: row.projectId,
  policy: row.policy,
  failureDomain: 'sled' as const,
})

type MemberRow = Pick<InstanceTable, 'id' | 'name' | 'runState'>
const memberView = ({ id, name, runState }: MemberRow) => ({
  type: 'instance' as const,
  value: { id, name, runState },
})

const groupsOf = (ctx: Pick<Ctx, 'tx'>, kind: GroupKind, instanceId: string) =>
  ctx.tx
    .selectFrom('affinityGroup')
    .innerJoin('affinityMember', 'affinityMember.groupId', 'affinityGroup.id')
    .where('affinityMember.instanceId', '=', instanceId)
    .where('affinityGroup.kind', '=', columnOf(kind))

const membership = (ctx: Pick<Ctx, 'tx'>, { group, instance }: Pair) =>
  ctx.tx
    .selectFrom('affinityMember')
    .select('instanceId')
    .where('groupId', '=', group.id)
    .where('instanceId', '=', instance.id)
    .executeTakeFirst()

interface Pair {
  group: AffinityGroupTable
  instance: InstanceTable
}
/** Path and query of requests on a group. */
interface One {
  params: Selector<GroupKind>
  query: { project?: string | null | undefined }
}
interface OfMember extends One {
  params: Selector<GroupKind> & { instance: string }
}

/** A group and an instance, whose name is resolved in the group's project. */
async function resolvePair(ctx: Ctx, kind: GroupKind, { params, query }: OfMember): Promise<Pair> {
  const group = await resolve(ctx, kind, { ...params, ...query })
  const { instance } = params
  const within = { project: group.projectId }
  return { group, instance: await resolveToRead(ctx, 'instance', { instance, within }) }
}

async function resolveMember(ctx: Ctx, kind: GroupKind, input: OfMember): Promise<Pair> {
  const pair = await resolvePair(ctx, kind, input)
  if (!(await membership(ctx, pair))) throw fault.notFound(`${kinds[kind].type}-member`, pair.instance.id)
  return pair
}

/** Adds a member. Groups take part in choosing a sled, so an instance that has one cannot join. Throws 400. */
async function add(ctx: Ctx, kind: GroupKind, pair: Pair): Promise<void> {
  const { noun, type } = kinds[kind]
  const { group, instance } = pair
  if (instance.projectId !== group.projectId)
    throw fault.invalid(`instance must be in the same project as the ${noun}`)
  if (await membership(ctx, pair)) throw fault.exists(`${type}-member`, instance.id)
  if (instance.sledId !== null || instanceAnswer('addToAffinityGroup', instance.runState) === 'refuse')
    throw fault.invalid(`Instance cannot be added to ${noun} with reservation`)
  await join(ctx, kind, { groupId: group.id, instanceId: instance.id })
}

async function join(
  ctx: Pick<Ctx, 'tx'>,
  kind: GroupKind,
  link: { groupId: string; instanceId: string },
): Promise<void> {
  const { noun } = kinds[kind]
  const { members, groupsPerInstance } = limits.affinity
  const present = await ctx.tx
    .selectFrom('affinityMember')
    .select('instanceId')
    .where('groupId', '=', link.groupId)
    .limit(members)
    .execute()
  if (present.length >= members)
    throw fault.invalid(`${capital(noun)} already has maximum allowed members (${members})`)
  const groups = await groupsOf(ctx, kind, link.instanceId)
    .select('affinityGroup.id')
    .limit(groupsPerInstance)
    .execute()
  if (groups.length >= groupsPerInstance)
    throw fault.invalid(`Instance already belongs to maximum allowed ${noun}s (${groupsPerInstance})`)
  await ctx.tx.insertInto('affinityMember').values(link).execute()
}

/** The anti-affinity groups that a new instance names, each once. Throws 404. */
export async function findAntiAffinityGroups(
  ctx: Ctx,
  projectId: string,
  requested: readonly string[],
): Promise<string[]> {
  const found = new Set<string>()
  for (const value of requested) {
    const within = { project: projectId }
    const row = await resolve(ctx, 'antiAffinityGroup', { antiAffinityGroup: value, within })
    if (row.projectId !== projectId) throw fault.notFound('anti-affinity-group', value)
    found.add(row.id)
  }
  return [...found]
}

/** Makes a new instance a member of anti-affinity groups of its project. Throws 400. */
export async function joinAntiAffinityGroups(
  ctx: Pick<Ctx, 'tx'>,
  instanceId: string,
  groupIds: readonly string[],
): Promise<void> {
  for (const groupId of groupIds) await join(ctx, 'antiAffinityGroup', { groupId, instanceId })
}

type Input<K extends keyof Operations> = Parsed<Operations[K]>

/** The rules of one kind of group, as a plain resource. */
const groupRules = (kind: GroupKind) => ({
  view: groupView,
  create: (ctx: Ctx, project: RowOf<'project'>, body: BodyOf<'affinityGroupCreate'>) =>
    insertNamed(ctx, kind, {
      ...newIdentity(ctx, body),
      ...newTags(body),
      projectId: project.id,
      kind: columnOf(kind),
      policy: body.policy,
    }),
  async remove(ctx: Ctx, group: AffinityGroupTable) {
    await ctx.tx.deleteFrom('affinityMember').where('groupId', '=', group.id).execute()
    await deleteRow(kind)(ctx, group)
  },
})

/** The handlers of one kind of group that are about its members. */
const memberHandlers = (kind: GroupKind) => ({
  ofInstance: async (ctx: Ctx, { params, query }: Input<'instanceAffinityGroupList'>) => {
    const instance = await resolve(ctx, 'instance', { ...params, ...query })
    const rows = groupsOf(ctx, kind, instance.id)
    return mapPage(await pageByName(ctx, query, { rows, table: 'affinityGroup' }), groupView)
  },

  memberList: async (
    ctx: Ctx,
    { params, query }: Pick<One, 'params'> & Pick<Input<'affinityGroupMemberList'>, 'query'>,
  ) => {
    const group = await resolve(ctx, kind, { ...params, ...query })
    const rows = ctx.tx
      .selectFrom('instance')
      .innerJoin('affinityMember', 'affinityMember.instanceId', 'instance.id')
      .where('affinityMember.groupId', '=', group.id)
    return mapPage(
      await pageByName(ctx, query, { rows, table: 'instance', columns: ['id', 'name', 'runState'] }),
      memberView,
    )
  },

  memberView: async (ctx: Ctx, input: OfMember) =>
    memberView((await resolveMember(ctx, kind, input)).instance),

  memberAdd: async (ctx: Ctx, input: OfMember) => {
    const pair = await resolvePair(ctx, kind, input)
    await add(ctx, kind, pair)
    noteChanges(ctx.unit, [kind, pair.group], listChanges('instances', [], [pair.instance.name]))
    return memberView(pair.instance)
  },

  memberDelete: async (ctx: Ctx, input: OfMember) => {
    const { group, instance } = await resolveMember(ctx, kind, input)
    await ctx.tx
      .deleteFrom('affinityMember')
      .where('groupId', '=', group.id)
      .where('instanceId', '=', instance.id)
      .execute()
    noteChanges(ctx.unit, [kind, group], listChanges('instances', [instance.name], []))
  },
})

const affinity = memberHandlers('affinityGroup')
const antiAffinity = memberHandlers('antiAffinityGroup')

type Names<G extends string> =
  | `instance${Capitalize<G>}List`
  | `${G}${'List' | 'Create' | 'View' | 'Update' | 'Delete'}`
  | `${G}Member${'List' | `Instance${'View' | 'Add' | 'Delete'}`}`

export const affinityGroups: Family<Names<GroupKind>> = {
  ...plain('affinityGroup', groupRules('affinityGroup')).handlers,
  instanceAffinityGroupList: affinity.ofInstance,
  affinityGroupMemberList: affinity.memberList,
  affinityGroupMemberInstanceView: affinity.memberView,
  affinityGroupMemberInstanceAdd: affinity.memberAdd,
  affinityGroupMemberInstanceDelete: affinity.memberDelete,
  ...plain('antiAffinityGroup', groupRules('antiAffinityGroup')).handlers,
  instanceAntiAffinityGroupList: antiAffinity.ofInstance,
  antiAffinityGroupMemberList: antiAffinity.memberList,
  antiAffinityGroupMemberInstanceView: antiAffinity.memberView,
  antiAffinityGroupMemberInstanceAdd: antiAffinity.memberAdd,
  antiAffinityGroupMemberInstanceDelete: antiAffinity.memberDelete,
}
