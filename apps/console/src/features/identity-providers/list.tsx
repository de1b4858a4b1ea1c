import { identityProviderList } from '@purlin/contract/operations/silos/oidc-providers'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { createdColumn, descriptionColumn } from '#/resource/list/columns.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { usePageOptions } from '#/resource/list/usePageOptions.ts'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { type Provider, providersQuery } from './queries.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_idps')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => prefetch(providersQuery(params.silo, deps)),
  staticData: { isList: true, crumb: { label: 'Identity Providers' } },
  component: ProvidersTab,
})

const columnsOf = (silo: string): readonly Column<Provider>[] => [
  {
    id: 'name',
    header: 'name',
    cell: (row) => <TextLink href={paths.identityProvider(silo, row)}>{row.name}</TextLink>,
  },
  descriptionColumn,
  { id: 'type', header: 'Type', cell: ({ protocol }) => <Badge>{protocol}</Badge> },
  createdColumn,
]

/** The identity providers that users of the silo sign in with. */
function ProvidersTab() {
  const { silo } = Route.useParams()
  const { identityMode } = useLoaded(viewQuery(kinds.silo, silo))
  // The forms are those of a silo that may have providers.
  return identityMode === 'local_only' ? (
    <Notice>
      The users of this silo sign in with passwords. That is decided when a silo is created, by its identity
      mode.
    </Notice>
  ) : (
    <>
      <Providers silo={silo} />
      <Outlet />
    </>
  )
}

function Providers({ silo }: { silo: string }) {
  const isRefused = useSiloAdminReason(silo) !== undefined
  const columns = columnsOf(silo)
  const options = usePageOptions(identityProviderList, { silo }, { type: 'identity-provider', columns })
  return (
    <>
      <div className="mb-3 flex flex-wrap justify-end gap-2">
        {options.button}
        {!isRefused && (
          <>
            <NewButton variant="secondary" href={paths.oidcProviderNew(silo)}>
              New OpenID Connect provider
            </NewButton>
            <NewButton href={paths.identityProviderNew(silo)}>New provider</NewButton>
          </>
        )}
      </div>
      <QueryTable<Provider>
        label="Identity providers"
        queried={filteredKindOf(identityProviderList)}
        query={options.query}
        columns={options.columns}
        empty={
          <EmptyState
            icon={<Fingerprint />}
            title="No identity providers"
            body="Until there is one, no user can sign in to this silo."
          />
        }
      />
    </>
  )
}
