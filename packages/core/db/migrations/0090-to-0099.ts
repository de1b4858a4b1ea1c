/** The steps 0090 to 0099. */
import { sql } from 'kysely'
import type { Db, Step } from './step.ts'
import { tagsOfMore } from './tags.ts'

const used = ['disk', 'snapshot', 'image', 'externalIp'] as const
const withLastUse = { columns: { timeLastUsed: 'i?' } } as const

export const steps0090to0099 = [
  {
    // Rows without a time would be in no page of that order.
    name: '0090-last-use',
    columns: { disk: withLastUse, snapshot: withLastUse, image: withLastUse, externalIp: withLastUse },
    fill: async (db: Db): Promise<void> => {
      for (const table of used) await sql`update ${sql.table(table)} set "timeLastUsed" = 0`.execute(db)
    },
  },
  tagsOfMore,
  {
    name: '0092-states-of-projects',
    columns: { instance: { columns: {}, index: [['projectId', 'runState']] } },
  },
  {
    // The disks of an image are counted in some projects, without a look at the others.
    name: '0093-disks-of-images-by-project',
    columns: { disk: { columns: {}, index: [['imageId', 'projectId']] } },
    dropped: ['disk_imageId'],
  },
] as const satisfies readonly Step[]
