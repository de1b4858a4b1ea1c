import { changeableOf } from '@purlin/contract/rules/network/routes'
import { createFileRoute } from '@tanstack/react-router'
import { EditForm } from '#/resource/form/EditForm.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { fresh, loadRowToEdit, rowRoute } from '#/resource/address/routeOptions.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { unchangeableReason } from './routeActions.tsx'
import { RoutePreview } from './RoutePreview.tsx'
import { RouteFields } from './RouteFields.tsx'
import { pathTitle, valuesOf, wayOf } from './routeValues.ts'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_router-pages/routers/$router/_routes/routes/$route/edit',
)({
  ...rowRoute(kinds.vpcRouterRoute, { label: 'Edit route' }),
  ...fresh,
  loader: (match) => loadRowToEdit(kinds.vpcRouterRoute, match),
  component: EditRoute,
})

const targetOnly = 'Only the target of a default route can be changed'

function EditRoute() {
  const scope = Route.useParams()
  const { kind, id } = useLoaded(viewQuery(kinds.vpcRouterRoute, scope.route, scope))
  const locked = unchangeableReason(kind)
  const lockedButTarget = locked ?? (changeableOf[kind] === 'target' ? targetOnly : undefined)
  return (
    <EditForm
      kind={kinds.vpcRouterRoute}
      properties={() => [{ label: 'Kind', value: <Badge>{kind.replaceAll('_', ' ')}</Badge> }]}
      note={lockedButTarget && <Notice>{lockedButTarget}.</Notice>}
      values={valuesOf}
      disabledReason={locked}
      identityDisabledReason={lockedButTarget}
      toBody={(values) => ({
        ...(lockedButTarget ? {} : { name: values.name, description: values.description }),
        ...wayOf(values),
      })}
      aside={({ control }) =>
        locked
          ? undefined
          : { title: pathTitle, body: <RoutePreview control={control} scope={scope} id={id} /> }
      }
    >
      {(form) => (
        <RouteFields form={form} scope={scope} locked={{ destination: lockedButTarget, target: locked }} />
      )}
    </EditForm>
  )
}
