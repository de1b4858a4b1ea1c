import { useRouterState } from '@tanstack/react-router'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { lazily, onDemand } from '#/lib/lazily.tsx'
import { quickActionStore, type QuickAction } from '#/resource/quickActions.ts'
import { usePageKey } from '#/resource/pageKeys.ts'
import { closePalette, paletteStore, togglePalette } from '#/resource/palette.ts'
import { recentStore } from '#/resource/recent.ts'
import { useFound } from '#/resource/search.ts'
import { useLateWidget } from '#/ui/useLateWidget.ts'

const { Component: CommandPalette, load } = onDemand(
  () => import('#/ui/palette/CommandPalette.tsx'),
  'CommandPalette',
)

const ViewPlaces = lazily(() => import('#/resource/ViewPlaces.tsx'), 'ViewPlaces')

/** Opens the palette with mod+K, with the actions of the current page. */
export function PaletteHost() {
  const isWanted = useSyncExternalStore(paletteStore.subscribe, paletteStore.get)
  const [isOpen, setOpen] = useState(false)
  const { open, close, onReady } = useLateWidget()
  usePageKey('palette', togglePalette)
  useLayoutEffect(() => {
    if (!isWanted) return
    void open({ load, show: () => setOpen(true), onCancel: closePalette })
    return () => {
      close()
      setOpen(false)
    }
  }, [isWanted, open, close])
  return isOpen ? <OpenPalette onReady={onReady} /> : null
}

function OpenPalette({ onReady }: { onReady: () => void }) {
  const here = useRouterState({ select: (state) => state.location.pathname })
  const actions = useSyncExternalStore(quickActionStore.subscribe, quickActionStore.get)
  const item = ({ label, group, href, onAction }: QuickAction) => {
    const entry = { id: `${group} ${label} ${href ?? ''}`, label, group }
    if (href === undefined) return { ...entry, onAction: () => onAction?.() }
    return { ...entry, href, ...(onAction ? { onFollow: onAction } : {}) }
  }
  const [text, setText] = useState('')
  const { items: found, isSearching } = useFound(text)
  const recent = useSyncExternalStore(recentStore.subscribe, recentStore.get)
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
