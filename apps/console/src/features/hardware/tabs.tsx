import { createFileRoute, Outlet } from '@tanstack/react-router'
import Boxes from 'lucide-react/icons/boxes'
import { sections } from '#/lib/addresses.ts'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Tabs } from '#/ui/layout/Tabs.tsx'
import { hardwareDocs } from './docs.ts'
import { networkSwitch, physicalDisk, rack, sled } from './kinds.ts'
import { host } from './hosts/hosts.ts'
import { FleetCapacity } from './parts/FleetCapacity.tsx'

export const Route = createFileRoute('/_auth/system/inventory/_tabs')({ component: Inventory })

function Inventory() {
  return (
    <>
      <PageHeader icon={<Boxes />} title="Inventory">
        <DocsPopover topic="inventory" {...hardwareDocs} icon={<Boxes />} />
      </PageHeader>
      <FleetCapacity />
      <Tabs
        label="Inventory"
        className="mt-3"
        tabs={[sled, physicalDisk, rack, networkSwitch, host].map(({ title, name }) => ({
          label: title,
          href: sections[name].list(),
        }))}
      >
        <Outlet />
      </Tabs>
    </>
  )
}
