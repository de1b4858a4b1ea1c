import { useLayoutEffect, useState } from 'react'
import { useStore } from '#/lib/store.ts'
import { onDemand } from '#/lib/lazily.tsx'
import { usePageKey } from '#/resource/list/pageKeys.ts'
import { closePalette, paletteStore, togglePalette } from '#/resource/address/palette.ts'
import { useLateWidget } from '#/ui/overlay/useLateWidget.ts'

const { Component: OpenPalette, load } = onDemand(() => import('./OpenPalette.tsx'), 'OpenPalette')

/** Opens the palette with mod+K. */
export function PaletteHost() {
  const isWanted = useStore(paletteStore)
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
