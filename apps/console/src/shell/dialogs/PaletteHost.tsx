import { useStore } from '#/lib/store.ts'
import { usePageKey } from '#/resource/list/pageKeys.ts'
import { paletteStore, togglePalette } from '#/resource/address/palette.ts'
import { OpenPalette } from './OpenPalette.tsx'

/** Opens the palette with mod+K. */
export function PaletteHost() {
  const isOpen = useStore(paletteStore)
  usePageKey('palette', togglePalette)
  return isOpen ? <OpenPalette /> : null
}
