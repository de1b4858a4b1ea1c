import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { signInSettings } from '#/features/access/tokens/settings.ts'
import { codesQuery, factorsQuery } from './queries.ts'
import { SecondFactor } from './SecondFactor.tsx'

export const Route = createFileRoute('/_auth/settings/second-factor')({
  loader: () => Promise.all([load(factorsQuery), load(codesQuery), load(signInSettings)]),
  staticData: { crumb: { label: 'Second Factor', to: () => paths.secondFactor } },
  component: SecondFactor,
})
