/** Small facts about rows that every resource repeats otherwise. */
import { descriptionMaxLength } from '@purlin/contract/rules/names'
import type { Ctx } from './context.ts'
import { UniqueViolation } from './db/engine.ts'
import type { Head } from './db/tables.ts'
import { fault } from './faults.ts'

/** The head of a new row. Throws 400 for a description that is too long. */
export function newHead(ctx: Pick<Ctx, 'world' | 'now'>, from: { name: string; description: string }): Head {
  checkDescription(from.description)
  return {
    id: ctx.world.ids.uuid(),
    name: from.name,
    description: from.description,
    timeCreated: ctx.now,
    timeModified: ctx.now,
  }
}

/** The head's columns that an update changes: absent and null keep their value. */
export function headChanges(
  ctx: Pick<Ctx, 'now'>,
  body: { name?: string | null | undefined; description?: string | null | undefined },
): Partial<Head> & { timeModified: number } {
  if (body.description != null) checkDescription(body.description)
  return {
    timeModified: ctx.now,
    ...(body.name != null ? { name: body.name } : {}),
    ...(body.description != null ? { description: body.description } : {}),
  }
}

export function checkDescription(description: string): void {
  // Characters as people write them down in the database: code points.
  const length = Array.from(description).length
  if (length > descriptionMaxLength)
    throw fault.invalidValue(
      'description',
      `a description may contain at most ${descriptionMaxLength} characters, this one has ${length}`,
    )
}

/** The head as clients see it. */
export const headView = (row: Head) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  timeCreated: new Date(row.timeCreated),
  timeModified: new Date(row.timeModified),
})

/** Runs a write; a taken name becomes `already exists: kind "name"`. */
export async function orExists<T>(kind: string, name: string, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw error instanceof UniqueViolation ? fault.exists(kind, name) : error
  }
}

/** Counts a new child of a parent; a delete that looked before it then fails. */
export async function addChild(
  ctx: Pick<Ctx, 'tx'>,
  parent: 'silo' | 'project' | 'vpc' | 'vpcSubnet',
  id: string,
): Promise<void> {
  // The builder cannot know that a table in a variable has these columns.
  await ctx.tx
    .updateTable(parent as 'project')
    .set((eb) => ({ rcgen: eb('rcgen', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
