import { createFileRoute } from '@tanstack/react-router'
import { providerSearch } from './providerSearch.ts'
import { ProviderSignIn } from './ProviderSignIn.tsx'

export const Route = createFileRoute('/login/$silo/saml/$provider')({
  validateSearch: providerSearch,
  component: SamlPage,
})

function SamlPage() {
  const { silo, provider } = Route.useParams()
  return (
    <ProviderSignIn silo={silo} provider={{ name: provider, protocol: 'saml' }} search={Route.useSearch()} />
  )
}
