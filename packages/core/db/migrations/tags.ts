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

/** Removes the tags of a row when the row is deleted. */
async function untagOnDelete(db: Db, { engine }: { engine: EngineName }): Promise<void> {
  const act = `delete from "tag" where "resourceId" = old."id";`
  const run = (statement: string) => sql.raw(statement).execute(db)
  if (engine === 'postgres')
    await run(
      `create function "untagged"() returns trigger language plpgsql as $$ begin ${act} return null; end $$`,
    )
  for (const table of Object.keys(withTags)) {
    const trigger = `create trigger "${table}_untagged" after delete on "${table}"`
    await run(
      engine === 'postgres'
        ? `${trigger} for each row when (old."tagsJson" is not null) execute function "untagged"()`
        : `${trigger} when old."tagsJson" is not null begin ${act} end`,
    )
  }
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
  fill: untagOnDelete,
} as const satisfies Step
