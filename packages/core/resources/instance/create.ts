/** Instance create: everything is checked and written in one transaction, so nothing partial is ever visible. */
import type { Operations } from '@purlin/contract/operations'
import { limits } from '@purlin/contract/rules/limits'
import { toBase64 } from '@purlin/contract/wire'
import type { Selectable } from 'kysely'
import type { Parsed } from '@purlin/contract/op'
import type { Ctx, Family } from '../../context.ts'
import type { AffinityGroupTable, ProjectTable } from '../../db/tables.ts'
import { fault } from '../../faults.ts'
import { isUuid } from '@purlin/contract/rules/names'
import { resolve, resolveIn } from '../../resolve.ts'
import { addChild, newHead, orExists } from '../../rows.ts'
import { checkDisk, createDisk } from '../disk.ts'
import { createExternalIps, createSnat } from '../external-ip.ts'
import { createNics } from '../network-interface.ts'
import { keysForInstance } from '../ssh-key.ts'
import { attachDisk } from './disks.ts'
import { checkSizes } from './sizes.ts'
import { instanceView, type InstanceRow } from './view.ts'
import { changeInstance } from './write.ts'

type Body = Parsed<Operations['instanceCreate']>['body']
type Attachment = Body['disks'][number]
type Project = Selectable<ProjectTable>

async function checkAll(ctx: Ctx, project: Project, body: Body): Promise<void> {
  checkSizes(body)
  const all = [...(body.bootDisk ? [body.bootDisk] : []), ...body.disks]
  if (all.length > limits.instance.disks)
    throw fault.invalid(`cannot attach more than ${limits.instance.disks} disks to instance`)
  for (const disk of all) if (disk.type === 'create') await checkDisk(ctx, project, disk)
}

/** Finds the anti-affinity groups, each once. Throws 404, and 400 past the limit per instance. */
async function findGroups(
  ctx: Ctx,
  project: Project,
  wanted: readonly string[],
): Promise<Selectable<AffinityGroupTable>[]> {
  const found = new Map<string, Selectable<AffinityGroupTable>>()
  for (const ref of wanted) {
    const row = await ctx.tx
      .selectFrom('affinityGroup')
      .selectAll()
      .where('projectId', '=', project.id)
      .where('kind', '=', 'anti_affinity')
      .where(isUuid(ref) ? 'id' : 'name', '=', isUuid(ref) ? ref.toLowerCase() : ref)
      .executeTakeFirst()
    if (!row) throw fault.notFound('anti-affinity-group', ref)
    found.set(row.id, row)
  }
  const { groupsPerInstance } = limits.affinity
  if (found.size > groupsPerInstance)
    throw fault.invalid(
      `Instance already belongs to maximum allowed anti-affinity groups (${groupsPerInstance})`,
    )
  return [...found.values()]
}

async function joinGroups(ctx: Ctx, instanceId: string, groups: readonly { id: string }[]): Promise<void> {
  for (const { id: groupId } of groups) {
    const members = await ctx.tx
      .selectFrom('affinityMember')
      .select('instanceId')
      .where('groupId', '=', groupId)
      .limit(limits.affinity.members)
      .execute()
    if (members.length >= limits.affinity.members)
      throw fault.invalid(
        `Anti-affinity group already has maximum allowed members (${limits.affinity.members})`,
      )
    await ctx.tx.insertInto('affinityMember').values({ groupId, instanceId }).execute()
  }
}

function newInstance(ctx: Ctx, project: Project, body: Body): InstanceRow {
  return {
    ...newHead(ctx, body),
    projectId: project.id,
    siloId: project.siloId,
    ncpus: body.ncpus,
    memory: body.memory,
    hostname: body.hostname,
    userData: toBase64(body.userData),
    // Without a start nothing is left to do after this transaction.
    runState: body.start ? 'creating' : 'stopped',
    timeRunStateUpdated: ctx.now,
    generation: 1,
    bootDiskId: null,
    autoRestartPolicy: body.autoRestartPolicy,
    timeLastAutoRestarted: null,
    cpuPlatform: body.cpuPlatform,
    desired: body.start ? 'running' : 'stopped',
    intended: body.start ? 'running' : 'stopped',
    sledId: null,
    boot: 0,
    reset: 0,
    seq: 0,
    dueAt: body.start ? ctx.now : null,
    attempts: 0,
    lastError: null,
  }
}

async function addDisk(
  ctx: Ctx,
  at: { project: Project; instance: InstanceRow },
  wanted: Attachment,
): Promise<string> {
  const { project, instance } = at
  const disk =
    wanted.type === 'create'
      ? await createDisk(ctx, project, wanted)
      : await resolveIn(ctx, 'disk', { value: wanted.name, parent: { project: project.id } })
  await attachDisk(ctx, instance, disk)
  return disk.id
}

async function create(ctx: Ctx, project: Project, body: Body): Promise<InstanceRow> {
  await checkAll(ctx, project, body)
  const keys = await keysForInstance(ctx, body.sshPublicKeys)
  const groups = await findGroups(ctx, project, body.antiAffinityGroups)
  const row = newInstance(ctx, project, body)
  await orExists('instance', row.name, ctx.tx.insertInto('instance').values(row).execute())
  await addChild(ctx, 'project', project.id)
  if (keys.length)
    await ctx.tx
      .insertInto('instanceSshKey')
      .values(keys.map((key) => ({ instanceId: row.id, sshKeyId: key.id })))
      .execute()
  await joinGroups(ctx, row.id, groups)
  await createNics(ctx, row, body.networkInterfaces)
  await createSnat(ctx, row)
  await createExternalIps(ctx, row, body.externalIps)
  const bootDiskId = body.bootDisk ? await addDisk(ctx, { project, instance: row }, body.bootDisk) : null
  for (const disk of body.disks) await addDisk(ctx, { project, instance: row }, disk)
  if (body.start) ctx.wake('instances')
  return bootDiskId ? changeInstance(ctx.tx, row, { now: ctx.now, set: { bootDiskId } }) : row
}

export const creation: Family<'instanceCreate'> = {
  async instanceCreate(ctx, { query, body }) {
    return instanceView(await create(ctx, await resolve(ctx, 'project', query), body))
  },
}
