import type { ReactNode } from 'react'

/** Charts beside each other where there is room. */
export const ChartGrid = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start grid-cols-[repeat(auto-fit,minmax(min(100%,24rem),1fr))] gap-4">
    {children}
  </div>
)
