/** The resources that schedules of a project are for: named ones, or those with a tag. */
import type { ScheduleTarget } from '@purlin/contract/rules/time/schedules'
import { tagIn, tagKeyProblem, tagValueProblem } from '@purlin/contract/rules/tags'
import { resolveToRead } from '#/auth/resolve.ts'
import type { BodyOf, Ctx } from '#/context.ts'
import type { ScheduleTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

export type Targets = Pick<ScheduleTable, 'instancesJson' | 'tag' | 'disksJson' | 'diskTag'>
const none: Targets = { instancesJson: null, tag: null, disksJson: null, diskTag: null }

const columns = {
  instance: { named: 'instances', ids: 'instancesJson', tag: 'tag' },
  disk: { named: 'disks', ids: 'disksJson', tag: 'diskTag' },
} as const satisfies Record<ScheduleTarget, object>
const targetKinds = ['instance', 'disk'] as const

export const targetKind = ({ disksJson, diskTag }: Targets): ScheduleTarget =>
  disksJson === null && diskTag === null ? 'instance' : 'disk'

/** The ids of those of a kind that it names; null if it names none of this kind. */
export function idsIn(row: Targets, kind: ScheduleTarget = targetKind(row)): string[] | null {
  const json = row[columns[kind].ids]
  return json === null ? null : (JSON.parse(json) as string[])
}

/** The tag of what it is for, or null. */
export const tagOf = (row: Targets): string | null => row[columns[targetKind(row)].tag]

export const noTarget = 'exactly one of `instances`, `tag`, `disks` and `disk_tag` must be given'

/** The targets that a request names. Undefined if it names none. Throws 400, 404. */
export async function targetsOf(
  ctx: Ctx,
  body: BodyOf<'scheduleUpdate'>,
  { project, before = none }: { project: string; before?: Targets },
): Promise<Targets | undefined> {
  const given = [body.instances, body.tag, body.disks, body.diskTag].filter((one) => one != null)
  if (given.length === 0) return undefined
  if (given.length > 1) throw fault.invalid(noTarget)
  for (const kind of targetKinds) {
    const { named, ids, tag } = columns[kind]
    const text = body[tag]
    if (text != null) return { ...none, [tag]: checkedTag(tag, text) }
    const names = body[named]
    if (names == null) continue
    if (names.length === 0) throw fault.invalidValue(named, 'at least one is needed')
    // Those that are gone may stay, so that the rest can be changed.
    const kept = idsIn(before, kind) ?? []
    const found = new Set<string>()
    for (const name of names) found.add(kept.includes(name) ? name : await idIn(ctx, [kind, name], project))
    return { ...none, [ids]: JSON.stringify([...found]) }
  }
  return undefined
}

async function idIn(ctx: Ctx, [kind, name]: [ScheduleTarget, string], project: string): Promise<string> {
  const within = { project }
  const row =
    kind === 'disk'
      ? await resolveToRead(ctx, 'disk', { disk: name, within })
      : await resolveToRead(ctx, 'instance', { instance: name, within })
  if (row.projectId !== project)
    throw fault.invalidValue(columns[kind].named, `"${row.name}" is in another project`)
  return row.id
}

function checkedTag(field: 'tag' | 'diskTag', text: string): string {
  const { key, value } = tagIn(text)
  const problem = tagKeyProblem(key) ?? (value === undefined ? undefined : tagValueProblem(value))
  if (problem !== undefined) throw fault.invalidValue(field === 'tag' ? field : 'disk_tag', problem)
  return text
}
