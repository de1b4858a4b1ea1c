import { useEffect, useState, useSyncExternalStore } from 'react'
import { usePageKey } from '#/resource/list/pageKeys.ts'
import { closePalette, paletteStore, togglePalette } from '#/resource/address/palette.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import type * as palette from './OpenPalette.tsx'

/** Opens the palette with mod+K. Its file is fetched when it is first opened; if that fails, at the next opening. */
export function PaletteHost() {
  const isOpen = useSyncExternalStore(paletteStore.subscribe, paletteStore.get)
  const [file, setFile] = useState<typeof palette>()
  usePageKey('palette', togglePalette)
  const isMissing = isOpen && !file
  useEffect(() => {
    if (isMissing) void import('./OpenPalette.tsx').then(setFile, reportMissing)
  }, [isMissing])
  return isOpen && file && <file.OpenPalette />
}

function reportMissing(): void {
  closePalette()
  addToast({
    variant: 'error',
    title: 'Could not load this part of the console',
    content: 'Check the connection and try again. If that does not help, load the page again.',
  })
}
