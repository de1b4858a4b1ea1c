import { createFileRoute } from '@tanstack/react-router'
import { AccountPage } from '#/features/access/service-accounts/AccountPage.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/service-accounts/$account')({
  staticData: { crumb: { label: 'Service account' } },
  component: ServiceAccountPage,
})

function ServiceAccountPage() {
  const { silo, account } = Route.useParams()
  return (
    <AccountPage
      place={{ silo, isNamed: true }}
      name={account}
      header={(title, buttons) => (
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <h2 className="grow text-md font-semibold wrap-anywhere">{title}</h2>
          {buttons}
        </div>
      )}
    />
  )
}
