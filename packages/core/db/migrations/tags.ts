/** The tags of resources, and what removes those of deleted ones. */
import { sql } from 'kysely'
import type { Db, EngineName, Step } from './step.ts'

const tagged = { columns: { tagsJson: 't?' } } as const
const withTags = {
  project: tagged,
  instance: tagged,
  disk: tagged,
  snapshot: tagged,
  image: tagged,
  externalIp: tagged,
  vpc: tagged,
}

const act = `delete from "tag" where "resourceId" = old."id";`

/** Removes the tags of rows of these tables when the row is deleted. */
export async function untagOnDelete(db: Db, engine: EngineName, tables: readonly string[]): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  for (const table of tables) {
    const trigger = `create trigger "${table}_untagged" after delete on "${table}"`
    await run(
      engine === 'postgres'
        ? `${trigger} for each row when (old."tagsJson" is not null) execute function "untagged"()`
        : `${trigger} when old."tagsJson" is not null begin ${act} end`,
    )
  }
}

async function untag(db: Db, { engine }: { engine: EngineName }): Promise<void> {
  const untagged = `create function "untagged"() returns trigger language plpgsql`
  if (engine === 'postgres') await sql.raw(`${untagged} as $$ begin ${act} return null; end $$`).execute(db)
  await untagOnDelete(db, engine, Object.keys(withTags))
}

export const tags = {
  name: '0065-tags',
  tables: {
    tag: {
      columns: { resourceId: 't', kind: 't', holderId: 't', key: 't', value: 't' },
      key: ['resourceId', 'key'],
      inOrderOfKey: true,
      index: [['holderId', 'kind', 'key', 'value', 'resourceId']],
    },
  },
  columns: withTags,
  fill: untag,
} as const satisfies Step

const withTagsToo = {
  vpcSubnet: tagged,
  vpcRouter: tagged,
  internetGateway: tagged,
  affinityGroup: tagged,
  probe: tagged,
  schedule: tagged,
}

export const tagsOfMore = {
  name: '0091-tags-of-networks-and-schedules',
  columns: withTagsToo,
  fill: (db: Db, { engine }: { engine: EngineName }): Promise<void> =>
    untagOnDelete(db, engine, Object.keys(withTagsToo)),
} as const satisfies Step
