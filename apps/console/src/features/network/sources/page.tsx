import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { listQuery, pingsQuery } from './queries.ts'
import { Sources } from './Sources.tsx'

export const Route = createFileRoute('/_auth/system/networking/_network/_tabs/allowed-sources')({
  loader: () => Promise.all([load(listQuery), load(pingsQuery)]),
  staticData: { crumb: { label: 'Allowed Sources', to: () => paths.allowedSources } },
  component: Sources,
})
