/** Instance create: one transaction checks and writes everything, so no partial instance is ever visible. */
import { notMoving } from './move.ts'
import { limits } from '@purlin/contract/rules/limits'
import { toBase64 } from '@purlin/contract/wire'
import type { Selectable } from 'kysely'
import { together } from '#/concurrency/together.ts'
import type { BodyOf, Ctx } from '#/context.ts'
import type { ProjectTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { resolve } from '#/auth/resolve.ts'
import { insertNamed, newIdentity, newKept } from '#/resources/kind/rows.ts'
import { findAntiAffinityGroups, joinAntiAffinityGroups } from './affinity-groups.ts'
import { checkDisk, insertDisk, type CheckedDisk } from '#/resources/storage/disks.ts'
import { createExternalIps, createSnat } from '#/resources/addresses/external-ips.ts'
import { createNics } from '#/resources/vpcs/network-interfaces.ts'
import { keysForInstance } from '#/resources/access/ssh-keys.ts'
import { attachDisk } from './disks.ts'
import { checkSizes } from './sizes/sizes.ts'
import type { InstanceRow } from './view.ts'
import { changeInstance } from './change.ts'

type Body = BodyOf<'instanceCreate'>
type Attachment = Body['disks'][number]
type Project = Selectable<ProjectTable>

/** A disk of the request; a new one with what its check has read. */
type CheckedAttachment =
  | (Extract<Attachment, { type: 'create' }> & { checked: CheckedDisk })
  | Extract<Attachment, { type: 'attach' }>

/** Checks sizes and disks before anything is written. Returns the disks, the boot disk first. */
async function checkAll(ctx: Ctx, project: Project, body: Body): Promise<CheckedAttachment[]> {
  checkSizes(body)
  const all = [...(body.bootDisk ? [body.bootDisk] : []), ...body.disks]
  if (all.length > limits.instance.disks)
    throw fault.invalid(`cannot attach more than ${limits.instance.disks} disks to instance`)
  const checked: CheckedAttachment[] = []
  for (const disk of all)
    checked.push(disk.type === 'create' ? { ...disk, checked: await checkDisk(ctx, project, disk) } : disk)
  return checked
}

function newInstance(ctx: Ctx, project: Project, body: Body): InstanceRow {
  return {
    ...newIdentity(ctx, body),
    projectId: project.id,
    siloId: project.siloId,
    ncpus: body.ncpus,
    memory: body.memory,
    hostname: body.hostname,
    userData: toBase64(body.userData),
    // Without a start, the loop has no work.
    runState: body.start ? 'creating' : 'stopped',
    timeRunStateUpdated: ctx.now,
    generation: 1,
    bootDiskId: null,
    autoRestartPolicy: body.autoRestartPolicy,
    timeLastAutoRestarted: null,
    cpuPlatform: body.cpuPlatform,
    machineType: null,
    desired: body.start ? 'running' : 'stopped',
    intended: body.start ? 'running' : 'stopped',
    sledId: null,
    boot: 0,
    forcedBoot: null,
    reset: 0,
    seq: 0,
    storage: 0,
    storageConfirmed: 0,
    dueAt: body.start ? ctx.now : null,
    attempts: 0,
    lastError: null,
    ...newKept(body),
    ...notMoving,
  }
}

async function addDisk(
  ctx: Ctx,
  at: { project: Project; instance: InstanceRow },
  attachment: CheckedAttachment,
): Promise<string> {
  const { project, instance } = at
  const disk =
    attachment.type === 'create'
      ? await insertDisk(ctx, project, { request: attachment, checked: attachment.checked })
      : await resolve(ctx, 'disk', { disk: attachment.name, within: { project: project.id } })
  await attachDisk(ctx, instance, disk)
  return disk.id
}

async function addKeys(ctx: Ctx, { id }: InstanceRow, keys: readonly { id: string }[]): Promise<void> {
  const rows = keys.map((key) => ({ instanceId: id, sshKeyId: key.id }))
  if (rows.length > 0) await ctx.tx.insertInto('instanceSshKey').values(rows).execute()
}

// One after the other, because they may be taken from the same pool.
async function addExternalAddresses(ctx: Ctx, row: InstanceRow, body: Body): Promise<void> {
  if (body.networkInterfaces.type !== 'none') await createSnat(ctx, row)
  await createExternalIps(ctx, row, body.externalIps)
}

/** Makes an instance in a project on which the operation's `allow` has been checked. Throws 400, 404, 507. */
export async function createInstance(ctx: Ctx, project: Project, body: Body): Promise<InstanceRow> {
  const disks = await checkAll(ctx, project, body)
  const [keys, groups] = await together([
    keysForInstance(ctx, body.sshPublicKeys),
    findAntiAffinityGroups(ctx, project.id, body.antiAffinityGroups),
  ])
  const row = newInstance(ctx, project, body)
  await together([
    insertNamed(ctx, 'instance', row),
    addKeys(ctx, row, keys),
    joinAntiAffinityGroups(ctx, row.id, groups),
    createNics(ctx, row, body.networkInterfaces),
    addExternalAddresses(ctx, row, body),
  ])
  const diskIds: string[] = []
  for (const disk of disks) diskIds.push(await addDisk(ctx, { project, instance: row }, disk))
  const bootDiskId = body.bootDisk && diskIds[0]
  if (body.start) ctx.wake('instances')
  return bootDiskId ? changeInstance(ctx.tx, row, { now: ctx.now, set: { bootDiskId } }) : row
}
