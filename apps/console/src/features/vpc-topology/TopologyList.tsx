/** The same as the picture, as tables. */
import { countOf } from '@purlin/contract/rules/kinds'
import { Fragment, useState, type ReactNode } from 'react'
import { InstanceStateBadge } from '#/resource/list/StateBadge.tsx'
import { Address } from '#/ui/value/Address.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { MoreCell } from '#/ui/table/MoreCell.tsx'
import { Table } from '#/ui/table/Table.tsx'
import type { InterfaceNode, Nodes, ProbeNode, TopologyNode } from './nodes.ts'

export function TopologyList({ nodes }: { nodes: Nodes }) {
  const parts = new Map([...nodes.gateways, ...nodes.routers].map((node) => [node.id, node]))
  const before = (id: string) =>
    nodes.links.filter(({ to }) => to === id).flatMap(({ from }) => parts.get(from) ?? [])
  const subnets = nodes.subnets.flatMap((subnet) => subnet.interfaces.map((one) => ({ ...one, subnet })))
  return (
    <div className="flex flex-col gap-5">
      <Section title="Internet gateways" rows={nodes.gateways} columns={[nameColumn, details('Attached')]} />
      <Section
        title="Routers"
        rows={nodes.routers}
        columns={[nameColumn, details('Routes'), linksColumn('Leads to gateways', before)]}
      />
      <Section
        title="Subnets"
        rows={nodes.subnets}
        columns={[nameColumn, details('Blocks and interfaces'), linksColumn('Routers, in order', before)]}
      />
      <Section title="Instances" rows={subnets} columns={instanceColumns} />
      {nodes.probes.length > 0 && <Section title="Probes" rows={nodes.probes} columns={probeColumns} />}
    </div>
  )
}

const nameColumn: Column<TopologyNode> = {
  id: 'name',
  header: 'name',
  cell: ({ name, href }) => <CellLink href={href}>{name}</CellLink>,
}
const details = (header: string): Column<TopologyNode> => ({
  id: 'details',
  header,
  mono: true,
  cell: (node) => node.details.join(', '),
})
const linksColumn = (header: string, of: (id: string) => readonly TopologyNode[]): Column<TopologyNode> => ({
  id: 'before',
  header,
  cell: ({ id }) => {
    const links = of(id)
    if (links.length === 0) return <Dash />
    return links.map((node, i) => (
      <Fragment key={node.id}>
        {i > 0 && ', '}
        <TextLink href={node.href}>{node.name}</TextLink>
      </Fragment>
    ))
  },
})
const externalColumn = {
  id: 'external',
  header: 'External IPs',
  cell: ({ externalIps }: { externalIps: readonly string[] }) =>
    externalIps.length === 0 ? (
      <Dash />
    ) : (
      <MoreCell
        title="Other external IPs"
        items={externalIps.map((ip) => (
          <Address key={ip} ip={ip} />
        ))}
      />
    ),
}
const probeColumns: readonly Column<ProbeNode>[] = [
  { id: 'name', header: 'name', cell: ({ name }) => name },
  { id: 'ip', header: 'address', cell: ({ ip }) => <Address ip={ip} /> },
  {
    id: 'subnet',
    header: 'subnet',
    cell: ({ subnet, href }) => <TextLink href={href}>{subnet}</TextLink>,
  },
  externalColumn,
]
const instanceColumns: readonly Column<InterfaceNode & { subnet: TopologyNode }>[] = [
  nameColumn,
  { id: 'state', header: 'state', cell: ({ state }) => <InstanceStateBadge state={state} /> },
  { id: 'interface', header: 'interface', cell: ({ interfaceName }) => interfaceName },
  { id: 'ip', header: 'address', cell: ({ ip }) => <Address ip={ip} /> },
  {
    id: 'subnet',
    header: 'subnet',
    cell: ({ subnet }) => <TextLink href={subnet.href}>{subnet.name}</TextLink>,
  },
  externalColumn,
]

// A table of a thousand rows takes long to draw.
const step = 100

function Section<Row extends TopologyNode>({
  title,
  rows,
  columns,
}: {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[] | readonly Column<TopologyNode>[]
}): ReactNode {
  const [most, setMost] = useState(step)
  const left = rows.length - most
  return (
    <section className="flex flex-col items-start gap-2">
      <h2 className="font-semibold">{title}</h2>
      {rows.length === 0 ? (
        <p className="text-secondary">None.</p>
      ) : (
        <Table
          label={title}
          className="w-full"
          columns={columns}
          rows={rows.slice(0, most)}
          rowKey={({ id }) => id}
        />
      )}
      {left > 0 && (
        <Button onClick={() => setMost(most + step)}>Show {countOf(Math.min(step, left), 'more row')}</Button>
      )}
    </section>
  )
}
