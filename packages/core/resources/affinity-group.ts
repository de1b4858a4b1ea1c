/** Placement groups of a project. The two kinds share a table and differ in their words alone. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { isUuid } from '@purlin/contract/rules/names'
import type { Ctx, Family } from '../context.ts'
import type { AffinityGroupTable, InstanceTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName } from '../pages.ts'
import { resolve, resolveIn, resolveToRead, type Selector } from '../resolve.ts'
import { addChild, headChanges, headView, newHead, orExists } from '../rows.ts'

const kinds = {
  affinityGroup: { kind: 'affinity', noun: 'affinity group', label: 'affinity-group' },
  antiAffinityGroup: { kind: 'anti_affinity', noun: 'anti-affinity group', label: 'anti-affinity-group' },
} as const
type GroupKind = keyof typeof kinds

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const groupView = (row: AffinityGroupTable) => ({
  ...headView(row),
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
    .selectAll('affinityGroup')
    .where('affinityMember.instanceId', '=', instanceId)
    .where('affinityGroup.kind', '=', kinds[kind].kind)

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
/** Requests name a group by the word of its kind, so their parameters are a selector already. */
interface One {
  params: Selector
  query: Selector
}
interface OfMember extends One {
  params: Selector & { instance: string }
}

/** A group and an instance. An id stands alone; a name means an instance of the group's project. */
async function resolvePair(ctx: Ctx, kind: GroupKind, { params, query }: OfMember): Promise<Pair> {
  const group = await resolve(ctx, kind, { ...params, ...query })
  const { instance } = params
  const place = isUuid(instance) ? {} : { project: group.projectId }
  return { group, instance: await resolveToRead(ctx, 'instance', { instance, ...place }) }
}

async function resolveMember(ctx: Ctx, kind: GroupKind, input: OfMember): Promise<Pair> {
  const pair = await resolvePair(ctx, kind, input)
  if (!(await membership(ctx, pair))) throw fault.notFound(`${kinds[kind].label}-member`, pair.instance.id)
  return pair
}

/** Adds a member. Groups have a say when a sled is chosen, so who holds one already is refused. Throws 400. */
async function add(ctx: Ctx, kind: GroupKind, pair: Pair): Promise<void> {
  const { noun, label } = kinds[kind]
  const { group, instance } = pair
  if (instance.projectId !== group.projectId)
    throw fault.invalid(`instance must be in the same project as the ${noun}`)
  if (await membership(ctx, pair)) throw fault.exists(`${label}-member`, instance.id)
  if (instance.sledId !== null) throw fault.invalid(`Instance cannot be added to ${noun} with reservation`)
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
  const groups = await groupsOf(ctx, kind, link.instanceId).limit(groupsPerInstance).execute()
  if (groups.length >= groupsPerInstance)
    throw fault.invalid(`Instance already belongs to maximum allowed ${noun}s (${groupsPerInstance})`)
  await ctx.tx.insertInto('affinityMember').values(link).execute()
}

/** The anti-affinity groups that a new instance names, each once. Throws 404. */
export async function findAntiAffinityGroups(
  ctx: Ctx,
  projectId: string,
  wanted: readonly string[],
): Promise<string[]> {
  const found = new Set<string>()
  for (const value of wanted) {
    const row = await resolveIn(ctx, 'antiAffinityGroup', { value, parent: { project: projectId } })
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

const reading = (kind: GroupKind) => ({
  ofInstance: async (ctx: Ctx, { params, query }: Input<'instanceAffinityGroupList'>) => {
    const instance = await resolve(ctx, 'instance', { ...params, project: query.project })
    const rows = groupsOf(ctx, kind, instance.id)
    return mapPage(await pageByName(ctx, query, { rows, table: 'affinityGroup' }), groupView)
  },

  list: async (ctx: Ctx, { query }: Input<'affinityGroupList'>) => {
    const project = await resolve(ctx, 'project', { project: query.project })
    const rows = ctx.tx
      .selectFrom('affinityGroup')
      .selectAll()
      .where('projectId', '=', project.id)
      .where('kind', '=', kinds[kind].kind)
    return mapPage(await pageByName(ctx, query, rows), groupView)
  },

  view: async (ctx: Ctx, { params, query }: One) =>
    groupView(await resolve(ctx, kind, { ...params, ...query })),

  memberList: async (
    ctx: Ctx,
    { params, query }: Pick<One, 'params'> & Pick<Input<'affinityGroupMemberList'>, 'query'>,
  ) => {
    const group = await resolve(ctx, kind, { ...params, project: query.project })
    const rows = ctx.tx
      .selectFrom('instance')
      .innerJoin('affinityMember', 'affinityMember.instanceId', 'instance.id')
      .select(['instance.id', 'instance.name', 'instance.runState'])
      .where('affinityMember.groupId', '=', group.id)
    return mapPage(await pageByName(ctx, query, { rows, table: 'instance' }), memberView)
  },

  memberView: async (ctx: Ctx, input: OfMember) =>
    memberView((await resolveMember(ctx, kind, input)).instance),
})

const writing = (kind: GroupKind) => ({
  create: async (ctx: Ctx, { query, body }: Input<'affinityGroupCreate'>) => {
    const project = await resolve(ctx, 'project', query)
    const row = {
      ...newHead(ctx, body),
      projectId: project.id,
      kind: kinds[kind].kind,
      policy: body.policy,
    }
    const write = ctx.tx.insertInto('affinityGroup').values(row).execute()
    await orExists(kinds[kind].label, row.name, write)
    await addChild(ctx, 'project', project.id)
    return groupView(row)
  },

  update: async (ctx: Ctx, { params, query, body }: One & Pick<Input<'affinityGroupUpdate'>, 'body'>) => {
    const row = await resolve(ctx, kind, { ...params, ...query })
    const changes = headChanges(ctx, body)
    const write = ctx.tx.updateTable('affinityGroup').set(changes).where('id', '=', row.id).execute()
    await orExists(kinds[kind].label, body.name ?? row.name, write)
    return groupView({ ...row, ...changes })
  },

  delete: async (ctx: Ctx, { params, query }: One) => {
    const { id } = await resolve(ctx, kind, { ...params, ...query })
    await ctx.tx.deleteFrom('affinityMember').where('groupId', '=', id).execute()
    await ctx.tx.deleteFrom('affinityGroup').where('id', '=', id).execute()
  },

  memberAdd: async (ctx: Ctx, input: OfMember) => {
    const pair = await resolvePair(ctx, kind, input)
    await add(ctx, kind, pair)
    return memberView(pair.instance)
  },

  memberDelete: async (ctx: Ctx, input: OfMember) => {
    const { group, instance } = await resolveMember(ctx, kind, input)
    await ctx.tx
      .deleteFrom('affinityMember')
      .where('groupId', '=', group.id)
      .where('instanceId', '=', instance.id)
      .execute()
  },
})

const affinity = { ...reading('affinityGroup'), ...writing('affinityGroup') }
const antiAffinity = { ...reading('antiAffinityGroup'), ...writing('antiAffinityGroup') }

type Names<G extends string> =
  | `instance${Capitalize<G>}List`
  | `${G}${'List' | 'Create' | 'View' | 'Update' | 'Delete'}`
  | `${G}Member${'List' | `Instance${'View' | 'Add' | 'Delete'}`}`

export const affinityGroups: Family<Names<GroupKind>> = {
  instanceAffinityGroupList: affinity.ofInstance,
  affinityGroupList: affinity.list,
  affinityGroupCreate: affinity.create,
  affinityGroupView: affinity.view,
  affinityGroupUpdate: affinity.update,
  affinityGroupDelete: affinity.delete,
  affinityGroupMemberList: affinity.memberList,
  affinityGroupMemberInstanceView: affinity.memberView,
  affinityGroupMemberInstanceAdd: affinity.memberAdd,
  affinityGroupMemberInstanceDelete: affinity.memberDelete,
  instanceAntiAffinityGroupList: antiAffinity.ofInstance,
  antiAffinityGroupList: antiAffinity.list,
  antiAffinityGroupCreate: antiAffinity.create,
  antiAffinityGroupView: antiAffinity.view,
  antiAffinityGroupUpdate: antiAffinity.update,
  antiAffinityGroupDelete: antiAffinity.delete,
  antiAffinityGroupMemberList: antiAffinity.memberList,
  antiAffinityGroupMemberInstanceView: antiAffinity.memberView,
  antiAffinityGroupMemberInstanceAdd: antiAffinity.memberAdd,
  antiAffinityGroupMemberInstanceDelete: antiAffinity.memberDelete,
}
