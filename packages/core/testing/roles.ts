/** Sends the same request as every kind of caller, to compare the statuses with a rule. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import type { TestWorld, Who } from './world.ts'

export type Caller = Who | 'anonymous'
/** `ok`, or the status of the error. */
type Answers = Record<Caller, 'ok' | number>

const outsiders = { noRole: 404, stranger: 404, fleetAdmin: 404, anonymous: 401 } as const
const members = { admin: 'ok', collaborator: 'ok', projectAdmin: 'ok', projectCollaborator: 'ok' } as const

/** Reading something of a project: its viewers may, for others it does not exist. */
export const projectRead: Answers = { ...members, viewer: 'ok', projectViewer: 'ok', ...outsiders }
/** Changing something of a project: its collaborators may. */
export const projectWrite: Answers = { ...members, viewer: 403, projectViewer: 403, ...outsiders }
/** Something that every user of the silo `acme` may read. */
export const siloRead: Answers = { ...projectRead, noRole: 'ok', fleetAdmin: 'ok' }

const notOperators = {
  admin: 404,
  collaborator: 404,
  viewer: 404,
  noRole: 404,
  projectAdmin: 404,
  projectCollaborator: 404,
  projectViewer: 404,
  stranger: 404,
} as const
/** Something that the fleet has one of by name: for those without a role on the fleet it does not exist. */
export const fleetOnly: Answers = { ...notOperators, fleetAdmin: 'ok', anonymous: 401 }

/** Each caller's result. `name` is a valid resource name that is unique to the caller. */
export async function answers(
  world: TestWorld,
  ask: (client: Client<Operations>, name: string) => Promise<unknown>,
): Promise<Answers> {
  const found: Partial<Answers> = {}
  for (const who of Object.keys(projectRead) as Caller[]) {
    const client = who === 'anonymous' ? world.anonymous : world.as(who)
    found[who] = await ask(client, who.toLowerCase()).then(
      () => 'ok' as const,
      (error: { status: number }) => error.status,
    )
  }
  return found as Answers
}
