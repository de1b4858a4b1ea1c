import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'

// A table is longer than a drawing, and would stretch its neighbour.
const inRows =
  '[&:not(:has(table))>section]:row-span-3 [&:not(:has(table))>section]:grid [&:not(:has(table))>section]:grid-rows-subgrid'

/**
 * Charts in up to two columns, as space allows; the last of an odd number takes both. Drawings in a row begin at the
 * same height, however many lines their heads have.
 */
export const ChartGrid = ({ children }: { children: ReactNode }) => (
  <div
    className={cx(
      '-mb-4 grid items-start gap-x-4 grid-cols-[repeat(auto-fit,minmax(min(100%,max(24rem,40%)),1fr))] [&>section]:mb-4 [&>section:last-child:nth-child(odd)]:col-span-full',
      inRows,
    )}
  >
    {children}
  </div>
)
