import type { ReactNode } from 'react'
import { paths, type VpcTarget } from '#/lib/addresses.ts'
import { createdColumn } from '#/resource/list/columns.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { MoreCell } from '#/ui/table/MoreCell.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import { EndPair, Pair, ProtocolPair } from './Pair.tsx'
import type { Rule, RuleEffect } from './queries.ts'
import { actionWords, directionWords } from './rules/words.ts'

/** Up to two items, or the first and the number of the others. */
function Items({ title, items }: { title: string; items: readonly ReactNode[] }) {
  if (items.length === 0) return <Dash />
  if (items.length > 2) return <MoreCell title={title} items={items} />
  return <span className="inline-flex items-center gap-1.5">{items}</span>
}

const filtersOf = ({ hosts, protocols, ports }: Rule['filters']): ReactNode[] => [
  ...(hosts ?? []).map((end, i) => <EndPair key={`host-${i}`} end={end} />),
  ...(protocols ?? []).map((protocol, i) => <ProtocolPair key={`protocol-${i}`} of={protocol} />),
  ...(ports ?? []).map((port) => <Pair key={`port-${port}`} type="Port" value={port} />),
]

/** Whether the rule is enabled, and why it has no effect although it is. */
function Status({ rule: { status }, effect }: { rule: Rule; effect: RuleEffect | undefined }) {
  if (status === 'disabled')
    return (
      <Badge dot tone="idle">
        Disabled
      </Badge>
    )
  return (
    <span className="inline-flex items-center gap-1.5">
      <Badge dot tone="ok">
        Enabled
      </Badge>
      {effect && (
        <Tooltip content={effect.text}>
          <button type="button" className="relative rounded-sm">
            <Badge tone={effect.effect === 'none' ? 'idle' : 'warn'}>
              {effect.effect === 'none' ? 'No effect' : 'Partial effect'}
            </Badge>
          </button>
        </Tooltip>
      )}
    </span>
  )
}

/** The columns of the firewall rules of a VPC, with the effects of rules by their names. */
export const ruleColumns = (
  target: VpcTarget,
  effects: ReadonlyMap<string, RuleEffect>,
): readonly Column<Rule>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ name }) => <CellLink href={paths.firewallRuleEdit(target, name)}>{name}</CellLink>,
  },
  { id: 'priority', header: 'priority', spare: 1, mono: true, cell: ({ priority }) => priority },
  { id: 'action', header: 'action', cell: ({ action }) => actionWords[action] },
  { id: 'direction', header: 'direction', cell: ({ direction }) => directionWords[direction] },
  {
    id: 'targets',
    header: 'targets',
    cell: ({ targets }) => (
      <Items
        title="Other targets"
        items={targets.map((end, i) => (
          <EndPair key={i} end={end} />
        ))}
      />
    ),
  },
  {
    id: 'filters',
    header: 'filters',
    cell: ({ filters }) => <Items title="Other filters" items={filtersOf(filters)} />,
  },
  {
    id: 'status',
    header: 'status',
    cell: (rule) => <Status rule={rule} effect={effects.get(rule.name)} />,
  },
  createdColumn,
]
