/** The steps 0080 to 0089. */
import { sql } from 'kysely'
import { keptByMore, tagsOfParts } from './kept.ts'
import type { Db, Step } from './step.ts'

export const steps0080to0089 = [
  {
    name: '0080-imports-have-tags',
    columns: { imageImport: { columns: { isProtected: 'i?', tagsJson: 't?' } } },
  },
  keptByMore,
  {
    name: '0084-hardware-by-serial-number',
    columns: {
      sled: { columns: {}, index: [['serial', 'id']] },
      // Also in the order of their health, with those of each counted.
      physicalDisk: {
        columns: {},
        index: [
          ['serial', 'id'],
          ['policy', 'health', 'id'],
        ],
      },
    },
  },
  tagsOfParts,
  {
    name: '0085-users-last-signed-in',
    columns: { siloUser: { columns: { timeLastSignedIn: 'i?' } } },
    fill: async (db: Db): Promise<void> => {
      const started = sql`select max("timeCreated") from session where session."siloUserId" = "siloUser".id`
      await sql`update "siloUser" set "timeLastSignedIn" = (${started})`.execute(db)
    },
  },
  {
    // Rows without a time would be in no page of that order.
    name: '0088-users-in-order-of-sign-in',
    columns: { siloUser: { columns: {}, index: [['siloId', 'timeLastSignedIn', 'id']] } },
    fill: async (db: Db): Promise<void> => {
      await sql`update "siloUser" set "timeLastSignedIn" = 0 where "timeLastSignedIn" is null`.execute(db)
    },
  },
] as const satisfies readonly Step[]
