import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { shorten } from '#/lib/text.ts'
import { loadById, networkSwitch } from '../kinds.ts'
import { portsQuery } from './ports.ts'

// The page of the switch and those of its ports share this crumb and what it loads.
export const Route = createFileRoute('/_auth/system/inventory/_switch-pages/switches/$switchId')({
  loader: ({ params }) => Promise.all([loadById(networkSwitch, params.switchId), prefetch(portsQuery())]),
  staticData: {
    crumb: {
      label: (params) => shorten(params['switchId'] ?? '', 12, 'middle'),
      to: (params) => sections.switch.view({ name: params['switchId'] ?? '' }),
    },
  },
})
