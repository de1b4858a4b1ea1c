/** The steps 0070 to 0079. */
import { addSearched } from './search.ts'
import { id, identity, inProject, type Step } from './step.ts'
import { usage } from './usage.ts'

export const steps0070to0079 = [
  // Images that no disk was made from are found by it.
  { name: '0070-disks-of-images', columns: { disk: { columns: {}, index: [['imageId']] } } },
  { name: '0071-zones-of-schedules', columns: { snapshotSchedule: { columns: { timeZone: 't?' } } } },
  usage,
  {
    name: '0073-snapshots-of-instances',
    tables: {
      instanceSnapshot: {
        columns: { ...identity, projectId: 't', instanceId: 't' },
        key: id,
        unique: [['instanceId', 'name']],
        index: [['instanceId', 'id']],
      },
    },
    columns: { snapshot: { columns: { instanceSnapshotId: 't?' }, index: [['instanceSnapshotId']] } },
    fill: (db, { engine }) =>
      addSearched(db, engine, {
        kind: 'instanceSnapshot',
        table: 'instanceSnapshot',
        texts: ['name', 'description'],
        holder: 'instanceId',
        project: 'projectId',
      }),
  },
  {
    name: '0074-schedules',
    tables: {
      schedule: {
        ...inProject({
          userId: 't',
          action: 't',
          instancesJson: 't?',
          tag: 't?',
          ruleJson: 't',
          timeZone: 't',
          timeDue: 'i?',
          leaseUntil: 'i',
          timeLastRun: 'i?',
          lastError: 't?',
          failedSince: 'i?',
          taskId: 't?',
        }),
        index: [['projectId', 'id'], ['timeDue'], ['failedSince'], ['taskId']],
      },
    },
  },
  {
    name: '0075-templates-of-user-data',
    tables: { userDataTemplate: inProject({ text: 't', fieldsJson: 't' }) },
    fill: (db, { engine }) =>
      addSearched(db, engine, {
        kind: 'userDataTemplate',
        table: 'userDataTemplate',
        texts: ['name', 'description'],
        holder: 'projectId',
        project: 'projectId',
      }),
  },
  {
    name: '0076-snapshots-by-schedules',
    columns: {
      schedule: { columns: { disksJson: 't?', diskTag: 't?', keepJson: 't?' } },
      task: { columns: { scheduleId: 't?' } },
      instanceSnapshot: { columns: { scheduleId: 't?' }, index: [['scheduleId', 'instanceId']] },
      snapshot: { columns: {}, index: [['scheduleId', 'diskId']] },
    },
  },
  { name: '0077-types-of-machines', columns: { instance: { columns: { machineType: 't?' } } } },
  {
    name: '0078-search-of-schedules',
    fill: (db, { engine }) =>
      addSearched(db, engine, {
        kind: 'schedule',
        table: 'schedule',
        texts: ['name', 'description'],
        holder: 'projectId',
        project: 'projectId',
      }),
  },
  {
    name: '0079-kept-snapshots-of-instances',
    columns: { instanceSnapshot: { columns: { isProtected: 'i?', tagsJson: 't?' } } },
  },
] as const satisfies readonly Step[]
