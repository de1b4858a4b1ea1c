import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useExternalStore } from '#/lib/useExternalStore.ts'
import { quickActionStore, type QuickAction } from '#/resource/quickActions.ts'
import { closePalette } from '#/resource/palette.ts'
import { recentStore } from '#/resource/recent.ts'
import { useFound } from '#/resource/search.ts'
import { ViewPlaces } from '#/resource/ViewPlaces.tsx'
import { CommandPalette } from '#/ui/palette/CommandPalette.tsx'

/** The palette, with the actions of the current page and what is found by what is typed. */
export function OpenPalette({ onReady }: { onReady: () => void }) {
  const here = useRouterState({ select: (state) => state.location.pathname })
  const actions = useExternalStore(quickActionStore.subscribe, quickActionStore.get)
  const item = ({ label, group, href, onAction }: QuickAction) => {
    const entry = { id: `${group} ${label} ${href ?? ''}`, label, group }
    if (href === undefined) return { ...entry, onAction: () => onAction?.() }
    return { ...entry, href, ...(onAction ? { onFollow: onAction } : {}) }
  }
  const [text, setText] = useState('')
  const { items: found, isSearching } = useFound(text)
  const recent = useExternalStore(recentStore.subscribe, recentStore.get)
  const local = actions.filter((action) => action.href !== here).map(item)
  return (
    <>
      <ViewPlaces />
      <CommandPalette
        items={[...local, ...recent.filter(({ href }) => href !== here)]}
        found={found}
        loading={isSearching}
        onQuery={setText}
        onReady={onReady}
        onDismiss={closePalette}
      />
    </>
  )
}
