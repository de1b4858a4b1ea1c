/**
 * The steps to the first running instance, as far as the caller may see what they are about. A step is done as soon as its
 * result exists, no matter which user has made it.
 */
import { advisedSteps, neededSteps, type StepName } from '@purlin/contract/operations/access/first-steps'
import { implies } from '@purlin/contract/rules/roles'
import { mayModifySilo } from '#/auth/access.ts'
import { permit } from '#/auth/resolve.ts'
import { together } from '#/concurrency/together.ts'
import type { Actor, Ctx } from '#/context.ts'
import { setting } from '../kind/setting.ts'

const permitted: Record<StepName, (actor: Actor) => boolean> = {
  address_pool: ({ fleetRole }) => implies(fleetRole, 'admin'),
  project: ({ siloRole }) => implies(siloRole, 'collaborator'),
  image: isBuilder,
  instance: isBuilder,
  people: mayModifySilo,
  certificate: mayModifySilo,
  backup: ({ fleetRole }) => implies(fleetRole, 'admin'),
}

function isBuilder({ siloRole, projectRoles }: Actor): boolean {
  return [siloRole, ...projectRoles.values()].some((role) => implies(role, 'collaborator'))
}

export const firstSteps = setting('firstSteps', {
  of: (ctx) => permit(ctx),
  view,
  async update(ctx, _, { dismissed }) {
    const { tx, actor, now } = ctx
    await tx.deleteFrom('firstSteps').where('siloUserId', '=', actor.userId).execute()
    if (dismissed)
      await tx.insertInto('firstSteps').values({ siloUserId: actor.userId, timeDismissed: now }).execute()
    return view(ctx)
  },
})

async function view(ctx: Ctx) {
  const { tx, actor } = ctx
  const row = await tx
    .selectFrom('firstSteps')
    .select('timeDismissed')
    .where('siloUserId', '=', actor.userId)
    .executeTakeFirst()
  const advised = advisedSteps.filter((step) => permitted[step](actor))
  // A user without any role sees nothing of the silo.
  const isMember = actor.siloRole !== null || actor.projectRoles.size > 0
  const shown = isMember || advised.length > 0 ? [...neededSteps, ...advised] : []
  const steps = await together(
    shown.map(async (step) => ({
      step,
      done: await isDone[step](ctx),
      permitted: permitted[step](actor),
    })),
  )
  return { dismissed: row !== undefined, steps }
}

/** The projects that the caller sees. */
const projectsOf = ({ tx, actor: { siloId, siloRole, projectRoles } }: Ctx) =>
  tx
    .selectFrom('project')
    .select('project.id')
    .where('project.siloId', '=', siloId)
    .$if(siloRole === null, (rows) => rows.where('project.id', 'in', ['', ...projectRoles.keys()]))

const exists = async (rows: Promise<unknown>): Promise<boolean> => (await rows) !== undefined

const isDone: Record<StepName, (ctx: Ctx) => Promise<boolean>> = {
  address_pool: ({ tx, actor }) =>
    exists(
      tx
        .selectFrom('ipPoolSilo')
        .innerJoin('ipPoolRange', 'ipPoolRange.ipPoolId', 'ipPoolSilo.ipPoolId')
        .select('ipPoolRange.id')
        .where('ipPoolSilo.siloId', '=', actor.siloId)
        .where('ipPoolSilo.isDefault', '=', 1)
        .limit(1)
        .executeTakeFirst(),
    ),
  project: (ctx) => exists(projectsOf(ctx).limit(1).executeTakeFirst()),
  image: (ctx) =>
    exists(
      ctx.tx
        .selectFrom('image')
        .select('id')
        .where((eb) => eb.or([eb('scopeId', '=', ctx.actor.siloId), eb('scopeId', 'in', projectsOf(ctx))]))
        .limit(1)
        .executeTakeFirst(),
    ),
  instance: (ctx) =>
    exists(
      ctx.tx
        .selectFrom('instance')
        .select('id')
        .where('projectId', 'in', projectsOf(ctx))
        .limit(1)
        .executeTakeFirst(),
    ),
  people: async ({ tx, actor: { siloId } }) => {
    const users = await tx.selectFrom('siloUser').select('id').where('siloId', '=', siloId).limit(2).execute()
    const provider = tx.selectFrom('identityProvider').select('id').where('siloId', '=', siloId).limit(1)
    return users.length > 1 || exists(provider.executeTakeFirst())
  },
  certificate: ({ tx, actor: { siloId } }) =>
    exists(
      tx.selectFrom('certificate').select('id').where('siloId', '=', siloId).limit(1).executeTakeFirst(),
    ),
  backup: ({ tx }) =>
    exists(tx.selectFrom('backupSchedule').select('id').where('timeDone', 'is not', null).executeTakeFirst()),
}
