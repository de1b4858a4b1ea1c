import { createFileRoute } from '@tanstack/react-router'
import Cable from 'lucide-react/icons/cable'
import { load } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { twoDecimals } from '#/lib/format.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { roleScope, viewQuery } from '#/resource/kind.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { UiLink } from '#/ui/button/link.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { Summary } from '#/ui/value/Summary.tsx'
import { loadById, networkSwitch } from '../kinds.ts'
import { portActions } from '../parts/actions.tsx'
import { HardwareLink } from '../parts/columns.tsx'
import { SettingsLink } from '../parts/SettingsLink.tsx'
import { LinkBadge, PresenceBadge } from '../parts/States.tsx'
import { celsiusText, speedText } from '../parts/words.ts'
import { Neighbors } from './Neighbors.tsx'
import { portsQuery, portStatusQuery, type Port } from './ports.ts'

export const Route = createFileRoute('/_auth/system/inventory/_switch-pages/switches/$switchId/ports/$port')({
  loader: async ({ params: { switchId, port } }) => {
    // It is not found if the switch has no such port.
    await load(portStatusQuery(await loadById(networkSwitch, switchId), port))
    await load(portsQuery())
  },
  staticData: { crumb: { label: (params) => params['port'] ?? '' } },
  component: PortPage,
})

function PortPage() {
  const { switchId, port: name } = Route.useParams()
  const on = useLoaded(viewQuery(networkSwitch, switchId))
  useLoaded(portStatusQuery(on, name))
  const port = useLoaded(portsQuery()).find((one) => one.switchId === on.id && one.portName === name)
  if (!port) return null
  const { link, monitors } = port
  return (
    <>
      <PageHeader icon={<Cable />} title={`Port ${name}`}>
        <PortMenu port={port} />
      </PageHeader>
      <Summary
        main={[
          { label: 'Link', value: link && <LinkBadge {...link} /> },
          {
            label: 'Switch',
            value: (
              <UiLink
                href={sections.switch.view({ name: on.id })}
                className="mono text-accent-text underline decoration-1 underline-offset-2 hover:decoration-2"
              >
                {on.baseboard.serial}
              </UiLink>
            ),
          },
          { label: 'Speed', value: typeof link?.speed === 'number' ? speedText(link.speed) : undefined },
          { label: 'Changed', value: link?.since && <RelativeTime date={link.since} /> },
          {
            label: 'Settings',
            value: port.portSettingsId && <SettingsLink id={port.portSettingsId} />,
          },
          { label: 'State', value: <PresenceBadge {...port} /> },
        ]}
        rest={[
          { label: 'Location', value: <span className="mono">{on.location}</span> },
          { label: 'Rack', value: <HardwareLink kind="rack" id={on.rackId} /> },
          { label: 'Changed', value: link?.since && <DateTime date={link.since} /> },
          { label: 'Last report', value: port.timeReported && <DateTime date={port.timeReported} /> },
        ]}
      />
      <section className="mt-8">
        <h2 className="mb-3 text-lg font-semibold">Module</h2>
        {monitors ? (
          <Module monitors={monitors} />
        ) : (
          <EmptyState icon={<Cable />} title="No module" body="Plug a module into the port to use it." />
        )}
      </section>
      <section className="mt-8">
        <h2 className="mb-3 text-lg font-semibold">Neighbors</h2>
        <Neighbors port={port} />
      </section>
    </>
  )
}

function PortMenu({ port }: { port: Port }) {
  const { menu, dialog } = useActions(portActions, {}, roleScope(networkSwitch, {}))
  const items = menu(port)
  useMenuInPalette(items)
  return (
    <>
      <PageMenu label="Port actions" items={items} />
      {dialog}
    </>
  )
}

type Monitors = NonNullable<Port['monitors']>

/** Optical power of each lane. */
const lanes = (milliwatts: readonly number[]) => (
  <span className="mono">{milliwatts.map(twoDecimals).join(' · ')} mW</span>
)

const Module = ({ monitors }: { monitors: Monitors }) => (
  <PropertiesTable
    properties={[
      { label: 'Vendor', value: monitors.vendor },
      {
        label: 'Temperature',
        value: typeof monitors.temperature === 'number' ? celsiusText(monitors.temperature) : undefined,
      },
      { label: 'Part', value: <span className="mono">{monitors.part}</span> },
      {
        label: 'Voltage',
        value: typeof monitors.voltage === 'number' ? `${twoDecimals(monitors.voltage)} V` : undefined,
      },
      { label: 'Serial', value: <span className="mono">{monitors.serial}</span> },
      { label: 'Received', value: lanes(monitors.received) },
      { label: 'Sent', value: lanes(monitors.transmitted) },
    ]}
  />
)
