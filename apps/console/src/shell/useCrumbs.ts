import { useMatches } from '@tanstack/react-router'
import type { Crumb } from '#/ui/Breadcrumbs.tsx'

/** Crumbs of the routes shown: those of the bar, and the labels of the document title. */
export function useCrumbs(): { bar: Crumb[]; title: string } {
  const matches = useMatches()
  const all = matches.flatMap((match) => {
    const spec = match.staticData.crumb
    if (!spec) return []
    const params = match.params as Record<string, string>
    const label = typeof spec.label === 'function' ? spec.label(params) : spec.label
    return [
      {
        label,
        href: spec.to?.(params) ?? match.pathname.replace(/(.)\/$/, '$1'),
        titleOnly: spec.titleOnly ?? false,
      },
    ]
  })
  const title = [...all.map((crumb) => crumb.label).toReversed(), 'Purlin'].join(' / ')
  return { bar: all.filter((crumb) => !crumb.titleOnly), title }
}
