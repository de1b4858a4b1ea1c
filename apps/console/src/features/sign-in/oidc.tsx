import { createFileRoute } from '@tanstack/react-router'
import { providerSearch } from './providerSearch.ts'
import { ProviderSignIn } from './ProviderSignIn.tsx'

export const Route = createFileRoute('/login/$silo/oidc/$provider')({
  validateSearch: providerSearch,
  component: OidcPage,
})

function OidcPage() {
  const { silo, provider } = Route.useParams()
  return (
    <ProviderSignIn silo={silo} provider={{ name: provider, protocol: 'oidc' }} search={Route.useSearch()} />
  )
}
