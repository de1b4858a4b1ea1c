import { identiconCells } from '#/lib/geometry/identicon.ts'

/** A small picture generated from a name, drawn in the accent colour. */
export function Identicon({ name, size = 28 }: { name: string; size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="-1.5 -1.5 8 8"
      shapeRendering="crispEdges"
      className="shrink-0 rounded-md bg-accent-soft text-accent-text"
    >
      {identiconCells(name).map(({ x, y }) => (
        <rect key={`${x}.${y}`} x={x} y={y} width="1" height="1" fill="currentColor" />
      ))}
    </svg>
  )
}
