/** The parts of a VPC as its picture draws them. Each is a link. */
import { memo, type ReactNode } from 'react'
import { instanceTones } from '#/resource/list/StateBadge.tsx'
import { cx, shorten } from '#/lib/text.ts'
import type { BadgeTone } from '#/ui/value/Badge.tsx'
import type { Box } from '#/lib/geometry/moves.ts'
import { describe, type InterfaceNode, type SubnetNode, type TopologyNode } from './nodes.ts'

interface PartProps<N extends TopologyNode> {
  node: N
  box: Box
  /** Whether Tab leads here; the arrow keys lead on. */
  isStop: boolean
}

// Monospace, so that a number of characters is a width.
const glyph = { name: 7.3, small: 6.65 }
const fitting = (text: string, width: number, size: number) =>
  shorten(text, Math.floor(width / size), 'middle')

const inset = 10

function Part({
  node,
  box,
  isStop,
  look,
  children,
}: PartProps<TopologyNode> & { look: string; children: ReactNode }) {
  return (
    <a
      href={node.href}
      data-part={node.id}
      aria-label={describe(node)}
      tabIndex={isStop ? 0 : -1}
      className="group/part cursor-pointer outline-none"
    >
      <g transform={`translate(${box.x} ${box.y})`}>
        <rect
          width={box.width}
          height={box.height}
          rx={5}
          className={cx(
            look,
            'group-hover/part:fill-hover group-focus-visible/part:stroke-focus group-focus-visible/part:stroke-[3px]',
          )}
        />
        {children}
      </g>
    </a>
  )
}

// Between texts, so that all of a part together are words.
const space = ' '

const nameLook = 'fill-ink font-mono text-[12px] font-medium'
const detailLook = 'fill-secondary font-mono text-[11px]'
const kindLook = 'fill-tertiary font-mono text-[10px] tracking-[0.05em] uppercase'

/** A gateway or router. */
export const Card = memo(function Card({ node, box, isStop }: PartProps<TopologyNode>) {
  const width = box.width - 2 * inset
  return (
    <Part node={node} box={box} isStop={isStop} look="fill-raised stroke-line-strong">
      <text x={inset} y={18} className={kindLook}>
        {node.kind}
        {space}
      </text>
      <text x={inset} y={37} className={nameLook}>
        {fitting(node.name, width, glyph.name)}
        {space}
      </text>
      <text x={inset} y={55} className={detailLook}>
        {fitting(node.details[0] ?? '', width, glyph.small)}
        {space}
      </text>
    </Part>
  )
})

const fills: Record<BadgeTone, string> = {
  ok: 'fill-ok',
  busy: 'fill-busy',
  warn: 'fill-busy',
  danger: 'fill-danger',
  idle: 'fill-idle',
  note: 'fill-note',
  neutral: 'fill-secondary',
  accent: 'fill-accent-text',
}

const Cell = memo(function Cell({ node, box, isStop }: PartProps<InterfaceNode>) {
  const width = box.width - 2 * inset
  const { length } = node.externalIps
  return (
    <Part node={node} box={box} isStop={isStop} look="fill-raised stroke-line">
      <text x={inset} y={18} className={nameLook}>
        {fitting(node.name, width, glyph.name)}
        {space}
      </text>
      <text x={inset} y={34} className={detailLook}>
        {fitting(node.ip, width, glyph.small)}
        {space}
      </text>
      <circle cx={inset + 3} cy={47} r={3} className={fills[instanceTones[node.state]]} />
      <text x={inset + 11} y={51} className={cx(fills[instanceTones[node.state]], 'font-mono text-[11px]')}>
        {node.state}
        {space}
      </text>
      {length > 0 && (
        <text x={box.width - inset} y={51} textAnchor="end" className={detailLook}>
          {length} external
        </text>
      )}
    </Part>
  )
})

interface FrameProps {
  subnet: SubnetNode
  frame: Box
  boxes: ReadonlyMap<string, Box>
  /** The id of the part that Tab leads to, if it is in this subnet. */
  stop: string | undefined
}

/** A subnet with its interfaces. */
export const Frame = memo(function Frame({ subnet, frame, boxes, stop }: FrameProps) {
  const head = boxes.get(subnet.id)
  if (!head) return null
  const width = head.width - 2 * inset
  return (
    <g>
      <rect {...frame} rx={8} className="fill-sunken stroke-line-strong" />
      <Part node={subnet} box={head} isStop={stop === subnet.id} look="fill-transparent stroke-transparent">
        <text x={inset} y={18} className={kindLook}>
          {subnet.kind}
          {space}
        </text>
        <text x={inset} y={36} className={nameLook}>
          {fitting(subnet.name, width, glyph.name)}
          {space}
        </text>
        {subnet.details.map((detail, i) => (
          <text key={i} x={inset} y={53 + i * 14} className={detailLook}>
            {fitting(detail, width, glyph.small)}
            {space}
          </text>
        ))}
      </Part>
      {subnet.interfaces.map((one) => {
        const box = boxes.get(one.id)
        return box && <Cell key={one.id} node={one} box={box} isStop={stop === one.id} />
      })}
    </g>
  )
})
