import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { loadOrKeep, readAnew } from '#/api/query.ts'
import { Expiry } from '#/features/certificates/Expiry.tsx'
import { siloUseQuery, usageText } from '#/features/utilization/quota.ts'
import { paths, sections, type SiloTab } from '#/lib/addresses.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { roleScope, viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { ageProperty, descriptionProperty, identityProperties } from '#/ui/value/PropertiesTable.tsx'
import { Summary } from '#/ui/value/Summary.tsx'
import { Tabs } from '#/ui/layout/Tabs.tsx'
import { siloActions, siloDocs } from './actions.tsx'
import { modeWords } from './words.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo')({
  loader: ({ params: { silo }, cause }) => loadOrKeep(cause, viewQuery(kinds.silo, silo)),
  staticData: {
    crumb: {
      label: (params) => params['silo'] ?? '',
      to: (params) => paths.siloTab(params['silo'] ?? '', 'idps'),
    },
  },
  component: SiloPage,
})

const { icon: Icon } = kinds.silo
const tabs: readonly [string, SiloTab][] = [
  ['Identity Providers', 'idps'],
  ['IP Pools', 'ip-pools'],
  ['Quotas', 'quotas'],
  ['Machine sizes', 'machine-sizes'],
  ['Fleet roles', 'fleet-roles'],
  ['Access', 'access'],
  ['Users', 'users'],
  ['Groups', 'groups'],
  ['Service accounts', 'service-accounts'],
  ['SCIM', 'scim'],
]

const resources = [
  { label: 'CPU', key: 'cpus' },
  { label: 'Memory', key: 'memory' },
  { label: 'Storage', key: 'storage' },
] as const

function SiloPage() {
  const { silo: name } = Route.useParams()
  const navigate = useNavigate()
  const silo = useLoaded(viewQuery(kinds.silo, name))
  const { data: use } = useQuery(siloUseQuery(name))
  const leave = async () => {
    await readAnew(kinds.silo.list)
    await navigate({ href: sections.silo.list() })
  }
  const usable = useActions(siloActions(leave), {}, roleScope(kinds.silo, {}))
  const items = usable.menu(silo)
  useMenuInPalette(items, silo)
  return (
    <>
      <PageHeader icon={<Icon />} title={silo.name}>
        <DocsPopover topic="silos" {...siloDocs} icon={<Icon />} />
        <PageMenu label="Silo actions" items={items} />
      </PageHeader>
      <Summary
        main={[
          { label: 'TLS certificate', value: certificateOf(silo.certificateExpires) },
          ...resources.map(({ label, key }) => ({ label, value: use ? usageText(use, key) : undefined })),
          ageProperty(silo.timeCreated),
        ]}
        rest={[
          descriptionProperty(silo.description),
          { label: 'Identity', value: <Badge>{modeWords(silo.identityMode)}</Badge> },
          { label: 'Admin group', value: silo.adminGroupName },
          { label: 'Discoverable', value: silo.discoverable ? 'Yes' : 'No' },
          ...identityProperties(silo),
        ]}
      />
      <Tabs
        label="Silo"
        className="mt-6"
        tabs={tabs.map(([label, tab]) => {
          const href = paths.siloTab(name, tab)
          // The form of a new role has an address next to the list of roles.
          return { label, href, isActive: (path) => path.startsWith(href) }
        })}
      >
        <Outlet />
      </Tabs>
    </>
  )
}

/** Undefined from servers that do not say. */
const certificateOf = (expires: Date | null | undefined) =>
  expires === null ? 'None' : expires && <Expiry notAfter={expires} />
