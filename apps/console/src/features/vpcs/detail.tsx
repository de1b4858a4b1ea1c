import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router'
import Network from 'lucide-react/icons/network'
import { paths, sections } from '#/lib/addresses.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { CopyButton } from '#/ui/button/CopyButton.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { ageProperty, descriptionProperty, idProperty } from '#/ui/value/PropertiesTable.tsx'
import { tagsProperty } from '#/resource/tags/tagsProperty.tsx'
import { Summary } from '#/ui/value/Summary.tsx'
import { Tabs } from '#/ui/layout/Tabs.tsx'
import { vpcActions, vpcDocs } from './actions.tsx'
import { vpcTabs } from './tabs.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page')({
  component: VpcPage,
})

function VpcPage() {
  const target = Route.useParams()
  const { project } = target
  const navigate = useNavigate()
  const vpc = useLoaded(viewQuery(kinds.vpc, target.vpc, { project }))
  const leave = () => navigate({ href: sections.vpc.list(project) })
  const menu = useActions(vpcActions(project, leave), { project }).menu(vpc)
  useMenuInPalette(menu, vpc)
  return (
    <>
      <PageHeader icon={<Network />} title={vpc.name}>
        <DocsPopover topic="VPCs" {...vpcDocs} icon={<Network />} />
        <PageMenu label="VPC actions" items={menu} />
      </PageHeader>
      <Summary
        main={[
          { label: 'DNS Name', value: <span className="mono">{vpc.dnsName}</span> },
          {
            label: 'IPv6 Prefix',
            value: (
              <span className="inline-flex items-center gap-1">
                <span className="mono">{vpc.ipv6Prefix}</span>
                <CopyButton text={vpc.ipv6Prefix} label="Copy IPv6 prefix" />
              </span>
            ),
          },
          ageProperty(vpc.timeCreated),
        ]}
        rest={[
          descriptionProperty(vpc.description),
          ...tagsProperty(vpc, sections.vpc.list(project)),
          { label: 'Created', value: <DateTime date={vpc.timeCreated} /> },
          { label: 'Last Modified', value: <DateTime date={vpc.timeModified} /> },
          idProperty(vpc.id),
        ]}
      />
      <Tabs
        label="VPC"
        className="mt-6"
        tabs={vpcTabs.map(([label, tab], i) => {
          const href = paths.vpcTab(target, tab)
          // Forms of a tab begin with its address, and the form of the VPC is over the first one.
          const isActive = (path: string) =>
            path.startsWith(href) || (i === 0 && path === sections.vpc.edit({ project, name: target.vpc }))
          return { label, href, isActive }
        })}
      >
        <Outlet />
      </Tabs>
    </>
  )
}
