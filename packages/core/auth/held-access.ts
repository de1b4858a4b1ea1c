/** Checks that users with an open console of an instance still have access. */
import type { OpShape } from '@purlin/contract/op'
import type { World } from '#/context.ts'
import { traced } from '#/db/engine.ts'
import type { Tx } from '#/db/tables.ts'
import { permits, type ProjectScope } from './access.ts'
import { sessionsOf, type HeldSession } from './sessions.ts'

/** Something that is open, such as a serial console. */
export interface Held {
  /** of the session that it was opened with */
  token: string
  instanceId: string
  /** of the operation that opened it */
  allow: OpShape['allow']
  /** True if the user has used it since the last call, which keeps the session alive. */
  takeUse(): boolean
}
/** The part of the access that was lost. */
export type Ending = 'session' | 'permission' | 'instance'

interface Snapshot {
  tokens: ReadonlySet<string>
  instanceIds: ReadonlySet<string>
  sessions: Map<string, HeldSession>
  projects: Map<string, ProjectScope>
  /** True while it is known to be current. */
  isFresh: () => boolean
}

/**
 * Checks everything that is open together: a constant number of queries, and none while nothing has changed in a
 * database that no other process writes. It returns the consoles to close, with the reason.
 */
export function createAccessCheck(world: World): (held: readonly Held[]) => Promise<Map<Held, Ending>> {
  let last: Snapshot | undefined

  async function read(held: readonly Held[]): Promise<Snapshot> {
    const tokens = new Set(held.map((one) => one.token))
    const instanceIds = new Set(held.map((one) => one.instanceId))
    if (last && covers(last, tokens, instanceIds) && last.isFresh()) return last
    const { value, fresh } = await traced(world.engine, (reads) =>
      world.engine.transaction(
        'read',
        async (tx) => ({
          sessions: await sessionsOf(world).read(tx, [...tokens]),
          projects: await projectsOf(tx, [...instanceIds]),
        }),
        reads,
      ),
    )
    const until = Math.min(...[...value.sessions.values()].map((one) => one.rolesUntil))
    const isFresh = () => fresh?.() === true && world.clock.now() < until
    return { tokens, instanceIds, ...value, isFresh }
  }

  return async (held) => {
    if (held.length === 0) return new Map()
    last = await read(held)
    const endings = new Map<Held, Ending>()
    for (const one of held) {
      const ending = endingOf(one, last)
      if (ending) endings.set(one, ending)
      else if (one.takeUse()) last.sessions.get(one.token)?.renew()
    }
    return endings
  }
}

const covers = (snapshot: Snapshot, tokens: Set<string>, instanceIds: Set<string>): boolean =>
  [...tokens].every((one) => snapshot.tokens.has(one)) &&
  [...instanceIds].every((one) => snapshot.instanceIds.has(one))

function endingOf({ token, instanceId, allow }: Held, { sessions, projects }: Snapshot): Ending | undefined {
  const session = sessions.get(token)
  if (!session?.isLive()) return 'session'
  const project = projects.get(instanceId)
  if (!project) return 'instance'
  return permits(session.actor, allow, { project }) ? undefined : 'permission'
}

/** The projects of instances, by the ids of the instances. */
async function projectsOf(tx: Tx, instanceIds: readonly string[]): Promise<Map<string, ProjectScope>> {
  const rows = await tx
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.projectId')
    .select(['instance.id as instanceId', 'project.id', 'project.siloId'])
    .where('instance.id', 'in', instanceIds)
    .execute()
  return new Map(rows.map(({ instanceId, ...project }) => [instanceId, project]))
}
