/** Of our own: the snapshot schedule of a disk. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { boolean, integer, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { inProject } from '#/schemas/identity.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { settingOps } from '../setting.ts'

const { hours, keep } = limits.snapshotSchedule
const timeZone = optional(nullable(string({ maxLength: limits.timeZone })))
const everyHours = integer({ min: 1, max: hours, format: 'uint32' })
const keptSnapshots = integer({ min: 1, max: keep, format: 'uint32' })

const SnapshotSchedule = ref(
  'SnapshotSchedule',
  object({
    id: Uuid,
    everyHours,
    timeFirstRun: time(),
    timeZone,
    keep: keptSnapshots,
    paused: boolean(),
    /** The user in whose name it runs. */
    userId: Uuid,
    timeCreated: time(),
    timeModified: time(),
    timeNextRun: optional(nullable(time())),
    timeLastRun: optional(nullable(time())),
    lastError: optional(nullable(string(unlimited))),
  }),
)
const ofDisk = {
  path: '/v1/disks/{disk}/snapshot-schedule', tag: 'disks',
  params: object({ disk: NameOrId }), query: object(inProject),
} as const

export const { diskSnapshotScheduleView, diskSnapshotScheduleUpdate } = settingOps('diskSnapshotSchedule', {
  ...ofDisk, view: 'project.viewer', update: 'project.collaborator',
  body: ref(
    'SnapshotScheduleUpdate',
    object({
      everyHours, keep: keptSnapshots,
      timeFirstRun: optional(nullable(time())), timeZone, paused: optional(nullable(boolean())),
    }),
  ),
  response: ref('DiskSnapshotSchedule', object({ schedule: optional(nullable(SnapshotSchedule)) })),
})
export const diskSnapshotScheduleDelete = op({
  ...ofDisk, method: 'DELETE', allow: 'project.collaborator', ok: 204,
})
