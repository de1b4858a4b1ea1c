/** The instances of all projects that a user may see, as one list. */
import { permit } from '#/auth/resolve.ts'
import { projectsSeen } from '#/auth/access.ts'
import type { Ctx, Family } from '#/context.ts'
import type { Scopes } from '#/db/lists/search-index.ts'
import { mapPage, pageByNameAndId } from '#/db/lists/pages.ts'
import { withExternalIps } from '#/resources/addresses/external-ips.ts'
import { withDetails } from '#/resources/kind/plain.ts'
import { instanceView } from './view.ts'

// The most projects in one query of the index. For actors with roles on more projects, the list does without it.
const maxIndexedProjects = 1000

export const listOfSilo: Family<'instanceListOfSilo'>['instanceListOfSilo'] = async (ctx, { query }) => {
  permit(ctx)
  const { within, rows } = visibleInstances(ctx)
  const listQuery = query.externalIps ? withDetails(query) : query
  const found = await pageByNameAndId(ctx, listQuery, {
    rows,
    table: 'instance',
    ...(within.projectIds.length > maxIndexedProjects
      ? {}
      : { within: { kind: 'instance', scopes: within } }),
  })
  const page = mapPage(found, (row) => ({ ...instanceView(row), projectName: row.projectName ?? '' }))
  return query.externalIps ? withExternalIps(ctx, page) : page
}

/** The instances of the silo, or of the projects that the actor has roles on, each with the name of its project. */
function visibleInstances({ tx, actor }: Pick<Ctx, 'tx' | 'actor'>) {
  const { siloId } = actor
  const projectIds = projectsSeen(actor)
  const within: Scopes = { siloId: projectIds ? undefined : siloId, projectIds: projectIds ?? [], lists: [] }
  const all = tx
    .selectFrom('instance')
    .where('instance.siloId', '=', siloId)
    .select((eb) =>
      eb
        .selectFrom('project')
        .select('project.name')
        .whereRef('project.id', '=', 'instance.projectId')
        .as('projectName'),
    )
  return { within, rows: projectIds ? all.where('instance.projectId', 'in', projectIds) : all }
}
