import { useRouterState } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { lazily } from '../../lib/lazily.tsx'
import { hasModifier } from '../../lib/platform.ts'
import { quickActionStore, type QuickAction } from '../quickActions.ts'
import { closePalette, paletteStore, togglePalette } from './palette.ts'

const CommandPalette = lazily(() => import('../../ui/palette/CommandPalette.tsx'), 'CommandPalette')

/** Opens the palette on mod+K from anywhere, and shows what is on offer here. */
export function PaletteHost() {
  const open = useSyncExternalStore(paletteStore.subscribe, paletteStore.get)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !hasModifier(event) || event.shiftKey || event.altKey) return
      event.preventDefault()
      togglePalette()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return open ? <OpenPalette /> : null
}

function OpenPalette() {
  const here = useRouterState({ select: (state) => state.location.pathname })
  const actions = useSyncExternalStore(quickActionStore.subscribe, quickActionStore.get)
  const item = ({ label, group, href, onAction }: QuickAction) => {
    const entry = { id: `${group} ${label} ${href ?? ''}`, label, group }
    return href === undefined ? { ...entry, onAction: () => onAction?.() } : { ...entry, href }
  }
  return (
    <CommandPalette
      items={actions.filter((action) => action.href !== here).map(item)}
      onDismiss={closePalette}
    />
  )
}
