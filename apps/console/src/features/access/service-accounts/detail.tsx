import { createFileRoute } from '@tanstack/react-router'
import Bot from 'lucide-react/icons/bot'
import { load } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { AccountPage } from './AccountPage.tsx'

export const Route = createFileRoute('/_auth/_silo/access/service-accounts/$account')({
  loader: () => load(ownQueries.me()),
  staticData: { crumb: { label: 'Service accounts', to: () => paths.serviceAccounts({}) } },
  component: ServiceAccount,
})

function ServiceAccount() {
  const { account } = Route.useParams()
  const silo = useLoaded(ownQueries.me()).siloName
  return (
    <AccountPage
      place={{ silo, isNamed: false }}
      name={account}
      header={(title, buttons) => (
        <PageHeader icon={<Bot />} title={title}>
          {buttons}
        </PageHeader>
      )}
    />
  )
}
