import { createFileRoute, Outlet } from '@tanstack/react-router'
import { ExpiryNotice } from '#/features/certificates/Expiry.tsx'
import { paths, sections } from '#/lib/addresses.ts'
import { Tabs } from '#/ui/layout/Tabs.tsx'
import { words } from './place.ts'
import { AccessHeader } from './PolicyPage.tsx'

export const Route = createFileRoute('/_auth/_silo/_access-tabs')({
  staticData: { crumb: { label: words.silo.title, to: () => sections.siloAccess.list() } },
  component: SiloAccess,
})

const isCertificates = (path: string) => path.startsWith(sections.certificate.list())
const isPolicy = (path: string) =>
  !isCertificates(path) &&
  ![paths.users, paths.groups, paths.serviceAccounts({}), paths.signInSettings, paths.siloAuditLog].includes(
    path,
  )

function SiloAccess() {
  return (
    <>
      <AccessHeader level="silo" />
      <ExpiryNotice />
      <Tabs
        label="Silo access"
        tabs={[
          { label: 'Policy', href: sections.siloAccess.list(), isActive: isPolicy },
          { label: 'Users', href: paths.users },
          { label: 'Groups', href: paths.groups },
          { label: 'Service accounts', href: paths.serviceAccounts({}) },
          { label: 'Sign-in', href: paths.signInSettings },
          { label: 'Audit log', href: paths.siloAuditLog },
          {
            label: 'Certificates',
            href: sections.certificate.list(),
            isActive: isCertificates,
          },
        ]}
      >
        <Outlet />
      </Tabs>
    </>
  )
}
