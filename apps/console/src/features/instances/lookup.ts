/** Addresses with only the id of an instance lead to its page. */
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { instanceView } from '@purlin/contract/operations/instances/instances'
import { projectView } from '@purlin/contract/operations/projects/projects'
import { isUuid } from '@purlin/contract/rules/names'
import { notFound, redirect } from '@tanstack/react-router'
import { load, query } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'

/** Leads to the page of the instance with this id, operators who may not see it to what they may know of it. */
export async function leadToInstance({ params }: { params: { instance: string } }): Promise<unknown> {
  const href = await pageOf(params.instance).catch(() => pageForOperators(params.instance))
  return href ? redirect({ href, replace: true, throw: true }) : notFound({ throw: true })
}

async function pageForOperators(id: string): Promise<string | undefined> {
  const me = await load(query(currentUserView, { query: {} })).catch(() => undefined)
  return me?.fleetViewer ? paths.lookUp(id) : undefined
}

async function pageOf(id: string): Promise<string | undefined> {
  if (!isUuid(id)) return undefined
  const { name, projectId } = await load(query(instanceView, { params: { instance: id }, query: {} }))
  const project = await load(query(projectView, { params: { project: projectId } }))
  return paths.instance({ project: project.name, instance: name })
}
