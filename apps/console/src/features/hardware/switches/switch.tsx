import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { loadById, networkSwitch } from '../kinds.ts'
import { serialCrumb } from '../serialCrumb.ts'
import { portsQuery } from './ports.ts'

// The page of the switch and those of its ports share this crumb and what it loads.
export const Route = createFileRoute('/_auth/system/inventory/_switch-pages/switches/$switchId')({
  loader: async ({ params }) => {
    const [{ baseboard }] = await Promise.all([
      loadById(networkSwitch, params.switchId),
      prefetch(portsQuery()),
    ])
    return { serial: baseboard.serial }
  },
  staticData: serialCrumb('switchId', (name) => sections.switch.view({ name })),
})
