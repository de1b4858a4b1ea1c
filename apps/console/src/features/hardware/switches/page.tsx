import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { errorMessage } from '#/api/errors.ts'
import { paths } from '#/lib/addresses.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { roleScope, viewQuery } from '#/resource/kind.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { idProperty } from '#/ui/value/PropertiesTable.tsx'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { Summary } from '#/ui/value/Summary.tsx'
import { networkSwitch } from '../kinds.ts'
import { portActions, switchPageActions } from '../parts/actions.tsx'
import { HardwareLink } from '../parts/columns.tsx'
import { SettingsLink } from '../parts/SettingsLink.tsx'
import { useRelease } from '../parts/restarting.ts'
import { LinkBadge, PresenceBadge } from '../parts/States.tsx'
import { celsiusText, speedText } from '../parts/words.ts'
import { inOrder, portsQuery, type Port } from './ports.ts'

export const Route = createFileRoute('/_auth/system/inventory/_switch-pages/switches/$switchId/')({
  component: SwitchPage,
})

const { icon: Icon } = networkSwitch

function SwitchPage() {
  const one = useLoaded(viewQuery(networkSwitch, Route.useParams().switchId))
  const { menu } = useActions(switchPageActions, {}, roleScope(networkSwitch, {}))
  const items = menu(one)
  useMenuInPalette(items)
  const { baseboard, missingSince, push } = one
  const release = useRelease(one)
  return (
    <>
      <PageHeader icon={<Icon />} title={`Switch ${baseboard.serial}`}>
        <PageMenu label="Switch actions" items={items} />
      </PageHeader>
      {release && (
        <Notice title={`This switch restarts with release ${release}`} className="mb-4">
          It answers again once that has ended. The other switch carries its traffic until then.
        </Notice>
      )}
      {missingSince && !release && (
        <Notice tone="danger" title="This switch does not answer" className="mb-4">
          It is missing since <DateTime date={missingSince} />. Check its power.
        </Notice>
      )}
      {push?.failure && (
        <Notice tone="danger" title="This switch does not have its settings" className="mb-4">
          {push.failure} It is tried again
          {push.failingSince && (
            <>
              , since <DateTime date={push.failingSince} />
            </>
          )}
          .
        </Notice>
      )}
      <Summary
        main={[
          { label: 'State', value: <PresenceBadge {...one} /> },
          { label: 'Location', value: <span className="mono">{one.location}</span> },
          { label: 'Rack', value: <HardwareLink kind="rack" id={one.rackId} /> },
          {
            label: 'Temperature',
            value: typeof one.temperature === 'number' ? celsiusText(one.temperature) : undefined,
          },
          { label: 'Settings pushed', value: push?.timePushed && <RelativeTime date={push.timePushed} /> },
          { label: 'Last report', value: one.timeReported && <RelativeTime date={one.timeReported} /> },
        ]}
        rest={[
          { label: 'Model', value: one.model && `${one.vendor ?? ''} ${one.model}`.trim() },
          { label: 'Part', value: <span className="mono">{baseboard.part}</span> },
          { label: 'Serial', value: <span className="mono">{baseboard.serial}</span> },
          { label: 'Revision', value: <span className="mono">{baseboard.revision}</span> },
          { label: 'Settings pushed', value: push?.timePushed && <DateTime date={push.timePushed} /> },
          { label: 'Last report', value: one.timeReported && <DateTime date={one.timeReported} /> },
          idProperty(one.id),
        ]}
      />
      <section className="mt-8">
        <h2 className="mb-3 text-lg font-semibold">Ports</h2>
        <Ports switchId={one.id} />
      </section>
    </>
  )
}

const columns: readonly Column<Port>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ portName, switchId }) => (
      <CellLink href={paths.switchPort({ switchId: switchId ?? '', port: portName })}>{portName}</CellLink>
    ),
  },
  { id: 'state', header: 'link', cell: ({ link }) => (link ? <LinkBadge {...link} /> : <Dash />) },
  {
    id: 'speed',
    header: 'speed',
    mono: true,
    cell: ({ link }) => (typeof link?.speed === 'number' ? speedText(link.speed) : <Dash />),
  },
  {
    id: 'settings',
    header: 'settings',
    cell: ({ portSettingsId }) => (portSettingsId ? <SettingsLink id={portSettingsId} /> : <Dash />),
  },
  { id: 'presence', header: 'state', cell: (row) => <PresenceBadge {...row} /> },
]

/** The ports of one switch, which are few. */
function Ports({ switchId }: { switchId: string }) {
  const { data, error, refetch } = useQuery({ ...portsQuery(), throwOnError: false })
  const { menu, dialog } = useActions(portActions, {}, roleScope(networkSwitch, {}))
  if (error && !data)
    return (
      <Notice tone="danger" title="Could not load the ports">
        <p className="mb-2">{errorMessage(error)}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </Notice>
    )
  const ports = data && inOrder(data.filter((port) => port.switchId === switchId))
  if (ports?.length === 0)
    return <EmptyState icon={<Icon />} title="No ports" body="The switch has not reported any port." />
  return (
    <>
      <Table
        label="Ports"
        columns={columns}
        rows={ports ?? []}
        skeletonRows={ports ? 0 : 8}
        rowKey={({ id }) => id}
        actions={(row) => <RowMenu items={menu(row)} />}
      />
      {dialog}
    </>
  )
}
