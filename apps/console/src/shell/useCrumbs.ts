import { useMatches } from '@tanstack/react-router'
import type { Crumb } from '#/ui/layout/Breadcrumbs.tsx'
import { bare } from '#/ui/layout/path.ts'

/** The title of a page with these crumbs. */
export const titleOf = (crumbs: readonly Crumb[]): string =>
  ['Purlin', ...crumbs.map(({ label }) => label)].toReversed().join(' / ')

/** Crumbs of the routes shown: those of the bar, and the title of the document, which a form above a page has a part in. */
export function useCrumbs(): { bar: Crumb[]; title: string } {
  const all = useMatches().flatMap((match) => {
    const { crumb } = match.staticData
    if (!crumb) return []
    const params = match.params as Record<string, string>
    const { label, to, titleOnly } = crumb
    const text = typeof label === 'function' ? label(params, match.loaderData) : label
    return [{ label: text, href: to?.(params) ?? bare(match.pathname), titleOnly }]
  })
  return { bar: all.filter((crumb) => !crumb.titleOnly), title: titleOf(all) }
}
