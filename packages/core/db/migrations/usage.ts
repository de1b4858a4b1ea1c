/** Step 0072: periods of use, and their prices. Resources that exist get a period. */
import { sql } from 'kysely'
import type { Db, Step } from './step.ts'

const GiB = 1024 ** 3

/** Whole seconds, in ms. */
const second = (column: string) => sql`${sql.ref(column)} - ${sql.ref(column)} % 1000`

/**
 * Resources have been used since they were made, at their present size. Of an instance, only the last change of state
 * is known.
 */
async function openPeriods(db: Db): Promise<void> {
  const into = sql`insert into "usagePeriod"
    ("resourceId", "timeBegan", "inSilo", "inProject", cpus, "memoryGib", "storageGib", addresses)`
  const gib = (column: string) => sql`${sql.ref(column)} / ${sql.lit(GiB)}`
  await sql`${into} select id, ${second('timeRunStateUpdated')}, "siloId", "projectId", ncpus, ${gib('memory')}, 0, 0
    from instance where "sledId" is not null`.execute(db)
  for (const table of ['disk', 'snapshot'])
    await sql`${into} select id, ${second('timeCreated')}, "siloId", "projectId", 0, 0, ${gib('size')}, 0
      from ${sql.table(table)}`.execute(db)
  await sql`${into} select id, ${second('timeCreated')}, "siloId", "projectId", 0, 0, ${gib('charged')}, 0
    from "imageImport" where charged > 0`.execute(db)
  await sql`${into} select "externalIp".id, ${second('externalIp.timeCreated')}, project."siloId", project.id, 0, 0, 0, 1
    from "externalIp" join project on project.id = "externalIp"."projectId"
    where "externalIp".kind in ('floating', 'ephemeral')`.execute(db)
  await sql`insert into "usageTag" ("resourceId", "timeBegan", key, value)
    select tag."resourceId", "usagePeriod"."timeBegan", tag.key, tag.value
    from tag join "usagePeriod" on "usagePeriod"."resourceId" = tag."resourceId"`.execute(db)
}

export const usage = {
  name: '0072-usage',
  tables: {
    usagePeriod: {
      columns: {
        resourceId: 't',
        timeBegan: 'i',
        timeEnded: 'i?',
        inSilo: 't',
        inProject: 't',
        cpus: 'i',
        memoryGib: 'i',
        storageGib: 'i',
        addresses: 'i',
      },
      key: ['resourceId', 'timeBegan'],
      index: [['inSilo', 'timeEnded'], ['inProject', 'timeEnded'], ['timeEnded']],
    },
    usageTag: {
      columns: { resourceId: 't', timeBegan: 'i', key: 't', value: 't' },
      key: ['resourceId', 'timeBegan', 'key'],
      inOrderOfKey: true,
    },
    formerName: { columns: { id: 't', name: 't', timeDeleted: 'i' }, key: ['id'], index: [['timeDeleted']] },
    usagePrices: {
      columns: {
        id: 't',
        currency: 't?',
        cpuHour: 'i?',
        memoryGibHour: 'i?',
        storageGibHour: 'i?',
        addressHour: 'i?',
        timeModified: 'i?',
      },
      key: ['id'],
    },
  },
  fill: openPeriods,
} as const satisfies Step
