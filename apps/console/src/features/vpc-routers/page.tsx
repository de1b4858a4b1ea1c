import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router'
import RouterIcon from 'lucide-react/icons/router'
import { loadOrKeep } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { tagsProperty } from '#/resource/tags/tagsProperty.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { ageProperty, descriptionProperty, identityProperties } from '#/ui/value/PropertiesTable.tsx'
import { inLine, Summary } from '#/ui/value/Summary.tsx'
import { routerActions } from './actions.tsx'
import { RouterKind } from './RouterKind.tsx'
import { SubnetsOf } from './SubnetsOf.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_router-pages/routers/$router',
)({
  loader: ({ params, cause }) => loadOrKeep(cause, viewQuery(kinds.vpcRouter, params.router, params)),
  staticData: {
    crumb: {
      label: (params) => params['router'] ?? '',
      to: (params) => sections.vpcRouter.view({ ...params, name: params['router'] ?? '' }),
    },
  },
  component: RouterPage,
})

function RouterPage() {
  const scope = Route.useParams()
  const navigate = useNavigate()
  const router = useLoaded(viewQuery(kinds.vpcRouter, scope.router, scope))
  const leave = () => navigate({ href: sections.vpcRouter.list(scope) })
  const usable = useActions(routerActions(scope, leave), scope)
  const menu = usable.menu(router)
  useMenuInPalette(menu, router)
  return (
    <>
      <PageHeader icon={<RouterIcon />} title={router.name}>
        <PageMenu label="Router actions" items={menu} />
      </PageHeader>
      <Summary
        main={[
          { label: 'Kind', value: <RouterKind kind={router.kind} /> },
          { label: 'Subnets', value: <SubnetsOf router={router} scope={scope} /> },
          ageProperty(router.timeCreated),
          descriptionProperty(router.description, inLine),
        ]}
        rest={[...tagsProperty(router, sections.vpcRouter.list(scope)), ...identityProperties(router)]}
      />
      <div className="mt-6 flex grow flex-col">
        <Outlet />
      </div>
      {usable.dialog}
    </>
  )
}
