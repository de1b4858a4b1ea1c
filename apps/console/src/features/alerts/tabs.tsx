import { createFileRoute, Outlet } from '@tanstack/react-router'
import BellRing from 'lucide-react/icons/bell-ring'
import { paths, sections } from '#/lib/addresses.ts'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Tabs } from '#/ui/layout/Tabs.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { alertDocs } from './docs.ts'

export const Route = createFileRoute('/_auth/system/alerts/_tabs')({ component: Alerts })

function Alerts() {
  return (
    <>
      <PageHeader icon={<BellRing />} title="Alerts">
        <DocsPopover topic="alerts" {...alertDocs} icon={<BellRing />} />
      </PageHeader>
      <Tabs
        label="Alerts"
        tabs={[
          { label: 'Active', href: paths.activeAlerts },
          { label: 'Ended', href: paths.endedAlerts },
          { label: 'Receivers', href: sections.alertReceiver.list() },
        ]}
      >
        <Outlet />
      </Tabs>
    </>
  )
}
