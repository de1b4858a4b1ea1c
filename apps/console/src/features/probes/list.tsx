import type { probeList } from '@purlin/contract/operations/vpcs/probes'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { load, prefetch } from '#/api/query.ts'
import { sledsQuery } from '#/features/hardware/kinds.ts'
import { guides, sections } from '#/lib/addresses.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { ownQueries, useRole } from '#/resource/role/useRole.ts'
import { Address } from '#/ui/value/Address.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { probeActions } from './actions.ts'
import { probe } from './kinds.ts'
import { SledName } from './sleds.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_probes')({
  ...listRoute({ title: 'Probes', section: sections.probe }),
  // For those without a role on the fleet nothing is here. Decided before the list and its forms load anything.
  beforeLoad: async () => {
    if (!(await load(ownQueries.me())).fleetViewer) notFound({ throw: true })
  },
  loader: (match) => loadList(probes, match),
  component: () => <ResourceList list={probes} />,
})

const probes: ListOf<typeof probeList> = {
  kind: probe,
  docs: {
    summary:
      'A probe is an end of the network of the project on a sled that you choose. It answers pings at its external address, which shows whether packets reach the sled.',
    links: [guides.probes, guides.networking],
  },
  isStrict: true,
  actions: probeActions,
  prefetch: () => prefetch(sledsQuery()),
  columns: (project) => [
    { id: 'name', header: 'name', order: 'name', cell: ({ name }) => <Name project={project} name={name} /> },
    { id: 'sled', header: 'sled', cell: ({ sled }) => <SledName id={sled} /> },
    { id: 'internal', header: 'Private IP', cell: (row) => <Address ip={row.interface.ip} /> },
    {
      id: 'external',
      header: 'External IP',
      cell: ({ externalIps }) => externalIps.map(({ ip }) => <Address key={ip} ip={ip} />),
    },
  ],
}

/** The name, as a link for those who may see more than the list shows. */
function Name({ project, name }: { project: string; name: string }) {
  const { lacks } = useRole(project)
  if (lacks('collaborator')) return name
  return <CellLink href={sections.probe.view({ project, name })}>{name}</CellLink>
}
