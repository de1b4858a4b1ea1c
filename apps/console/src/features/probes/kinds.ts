/** Probes as screens list them. Other pages do without, so they are not in the table of kinds. */
import { probeCreate, probeDelete, probeList, probeView } from '@purlin/contract/operations/vpcs/probes'
import { vpcTopology } from '@purlin/contract/operations/vpcs/vpc-topology'
import Radar from 'lucide-react/icons/radar'
import type { Item } from '#/api/everyPage.ts'
import { kind } from '#/resource/kind.ts'

export type Probe = Item<typeof probeList>

// A creation answers with less than the view, so its answer is not what a page shows.
export const probe = kind({
  name: 'probe',
  title: 'Probes',
  icon: Radar,
  list: probeList,
  create: probeCreate,
  remove: probeDelete,
  related: [probeView, vpcTopology],
})

/** The same for the panel of one. */
export const viewedProbe = { ...probe, view: probeView }
