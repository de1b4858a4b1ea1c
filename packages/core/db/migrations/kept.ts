/** Tags and protection of templates of user data, and the tags of snapshots of instances by which lists are filtered. */
import { sql } from 'kysely'
import type { Db, EngineName, Step } from './step.ts'
import { untagOnDelete } from './tags.ts'

async function fill(db: Db, { engine }: { engine: EngineName }): Promise<void> {
  await untagOnDelete(db, engine, ['instanceSnapshot', 'userDataTemplate'])
  const isPostgres = engine === 'postgres'
  const pairs = sql.raw(isPostgres ? 'json_each_text(one."tagsJson"::json)' : 'json_each(one."tagsJson")')
  await sql`
    insert into tag ("resourceId", kind, "holderId", key, value)
    select one.id, 'instanceSnapshot', one."instanceId", pair.key, pair.value
    from "instanceSnapshot" as one, ${pairs} as pair where one."tagsJson" is not null`.execute(db)
  const fields = sql.raw(`"fieldsJson"${isPostgres ? '::json' : ''}`)
  await sql`update "userDataTemplate" set "fieldCount" = json_array_length(${fields})`.execute(db)
}

/** Lists the tags of snapshots of instances with those of their project. */
export const tagsOfParts = {
  name: '0085-tags-of-instance-snapshots',
  fill: async (db: Db): Promise<void> => {
    await sql`
      update tag set "holderId" = one."projectId"
      from "instanceSnapshot" as one where one.id = tag."resourceId" and tag.kind = 'instanceSnapshot'`.execute(
      db,
    )
  },
} as const satisfies Step

export const keptByMore = {
  name: '0082-kept-templates',
  columns: { userDataTemplate: { columns: { isProtected: 'i?', tagsJson: 't?', fieldCount: 'i?' } } },
  fill,
} as const satisfies Step
