import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { AnnounceSets } from './AnnounceSets.tsx'
import { Configurations } from './Configurations.tsx'
import { Peers } from './Peers.tsx'
import { configsQuery, setsQuery } from './queries.ts'

export const Route = createFileRoute('/_auth/system/networking/_network/_tabs/bgp')({
  loader: () => Promise.all([load(configsQuery), load(setsQuery)]),
  staticData: { crumb: { label: 'BGP', to: () => paths.bgp } },
  component: () => (
    <div className="flex flex-col gap-6">
      <Peers />
      <Configurations />
      <AnnounceSets />
    </div>
  ),
})
