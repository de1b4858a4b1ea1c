import { resourceLookUp, systemResourceLookUp } from '@purlin/contract/operations/access/access'
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import type { Result } from '@purlin/contract/op'
import { isUuid } from '@purlin/contract/rules/names'
import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import Search from 'lucide-react/icons/search'
import { load, query } from '#/api/query.ts'
import { addressOf } from '#/resource/address/pageOf.ts'
import { capitalize } from '#/lib/text.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'

export const Route = createFileRoute('/_auth/_silo/lookup/$resource')({
  loader: ({ params }) => findResource(params.resource),
  staticData: { crumb: { label: 'Lookup' } },
  component: OfOtherSilo,
})

/** Redirects to the page of the resource with this id. Operators who may not see it learn its kind and silo. */
async function findResource(id: string): Promise<Result<typeof systemResourceLookUp>> {
  if (!isUuid(id)) return notFound({ throw: true }) as never
  const params = { resourceId: id }
  const found = await load(query(resourceLookUp, { params })).catch(() => undefined)
  const href = found && addressOf(found)
  if (href !== undefined) return redirect({ href, replace: true, throw: true }) as never
  const { fleetViewer } = await load(query(currentUserView, { query: {} }))
  const foreign = fleetViewer && (await load(query(systemResourceLookUp, { params })).catch(() => undefined))
  return foreign || (notFound({ throw: true }) as never)
}

function OfOtherSilo() {
  const { type, id, siloName } = Route.useLoaderData()
  const noun = type.replaceAll('-', ' ')
  return (
    <>
      <PageHeader icon={<Search />} title={capitalize(noun)} />
      <PropertiesTable columns={1} properties={[{ label: 'Silo', value: siloName }, idProperty(id)]} />
      <Notice className="mt-4" title="You have no access to it">
        Roles on the fleet do not reach into the projects of silos. An admin of the silo {siloName} can give
        you a role, or tell you more about it.
      </Notice>
    </>
  )
}
