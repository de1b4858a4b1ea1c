/** Instance create: everything is checked and written in one transaction, so nothing partial is ever visible. */
import type { Operations } from '@purlin/contract/operations'
import { limits } from '@purlin/contract/rules/limits'
import { toBase64 } from '@purlin/contract/wire'
import type { Selectable } from 'kysely'
import type { Parsed } from '@purlin/contract/op'
import type { Ctx, Family } from '../../context.ts'
import type { ProjectTable } from '../../db/tables.ts'
import { fault } from '../../faults.ts'
import { resolve, resolveIn } from '../../resolve.ts'
import { addChild, newHead, orExists } from '../../rows.ts'
import { findAntiAffinityGroups, joinAntiAffinityGroups } from '../affinity-group.ts'
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
  const groups = await findAntiAffinityGroups(ctx, project.id, body.antiAffinityGroups)
  const row = newInstance(ctx, project, body)
  await orExists('instance', row.name, ctx.tx.insertInto('instance').values(row).execute())
  await addChild(ctx, 'project', project.id)
  if (keys.length)
    await ctx.tx
      .insertInto('instanceSshKey')
      .values(keys.map((key) => ({ instanceId: row.id, sshKeyId: key.id })))
      .execute()
  await joinAntiAffinityGroups(ctx, row.id, groups)
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
