import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { CreateForm } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'
import { formRoute } from '#/resource/address/routeOptions.tsx'
import { RoutePreview } from './RoutePreview.tsx'
import { RouteFields } from './RouteFields.tsx'
import { emptyRoute, pathTitle, wayOf } from './routeValues.ts'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_router-pages/routers/$router/_routes/routes-new',
)({
  ...formRoute('New route'),
  component: CreateRoute,
})

function CreateRoute() {
  const scope = Route.useParams()
  return (
    <CreateForm
      kind={kinds.vpcRouterRoute}
      closeTo={sections.vpcRouterRoute.list(scope)}
      values={emptyRoute}
      toBody={(values) => ({ name: values.name, description: values.description, ...wayOf(values) })}
      aside={({ control }) => ({ title: pathTitle, body: <RoutePreview control={control} scope={scope} /> })}
    >
      {(form) => <RouteFields form={form} scope={scope} />}
    </CreateForm>
  )
}
