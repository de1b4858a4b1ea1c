import { createFileRoute, Outlet } from '@tanstack/react-router'
import Network from 'lucide-react/icons/network'
import { networkTabs } from '#/lib/addresses.ts'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Tabs } from '#/ui/layout/Tabs.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { SwitchChange } from './change/SwitchChange.tsx'
import { networkDocs } from './docs.ts'

export const Route = createFileRoute('/_auth/system/networking/_network/_tabs')({ component: NetworkPages })

function NetworkPages() {
  return (
    <>
      <PageHeader icon={<Network />} title="Network">
        <DocsPopover topic="the network" {...networkDocs} icon={<Network />} />
      </PageHeader>
      <SwitchChange />
      <Tabs label="Network" tabs={networkTabs}>
        <Outlet />
      </Tabs>
    </>
  )
}
