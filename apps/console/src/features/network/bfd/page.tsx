import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { statusQuery } from './queries.ts'
import { Sessions } from './Sessions.tsx'

export const Route = createFileRoute('/_auth/system/networking/_network/_tabs/bfd')({
  loader: () => load(statusQuery),
  staticData: { crumb: { label: 'BFD', to: () => paths.bfd } },
  component: Sessions,
})
