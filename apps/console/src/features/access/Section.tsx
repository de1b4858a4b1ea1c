import type { ReactNode } from 'react'

/** A part of a page with its heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-8 flex flex-col gap-3">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </section>
)
