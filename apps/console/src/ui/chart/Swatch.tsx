import { seriesColour } from './colours.ts'

/** The colour of a line, next to its name. */
export function Swatch({ index }: { index: number }) {
  return (
    <span
      aria-hidden
      style={{ background: `var(${seriesColour(index)})` }}
      className="inline-block h-[3px] w-3 shrink-0 self-center rounded-sm"
    />
  )
}
