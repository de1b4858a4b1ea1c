import { cx } from '#/lib/text.ts'

const shadow =
  'after:pointer-events-none after:absolute after:inset-y-0 after:w-2 after:opacity-0 after:transition-opacity after:duration-(--fast) after:from-ink/10 after:to-transparent'
/** Pins a cell to the left edge, with a shadow once the rest slides under it. */
export const pinLeft = (hasBox: boolean): string =>
  cx(
    'sticky z-1',
    hasBox ? 'left-10' : 'left-0',
    shadow,
    'after:left-full after:bg-linear-to-r group-data-left/table:after:opacity-100',
  )
/** Pins a cell to the right edge. */
export const pinRight: string = cx(
  'sticky right-0 z-1',
  shadow,
  'after:right-full after:bg-linear-to-l group-data-right/table:after:opacity-100',
)
