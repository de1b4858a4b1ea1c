import { useStore } from '#/lib/store.ts'
import { actDialogStore } from '#/resource/acts/acts.ts'
import { usePageKey } from '#/resource/list/pageKeys.ts'
import { paletteStore, togglePalette } from '#/resource/address/palette.ts'
import { OpenPalette } from './OpenPalette.tsx'

/** Opens the palette with mod+K, and shows the dialog of what was chosen in it. */
export function PaletteHost() {
  const isOpen = useStore(paletteStore)
  const dialog = useStore(actDialogStore)
  usePageKey('palette', togglePalette)
  return (
    <>
      {isOpen && <OpenPalette />}
      {dialog}
    </>
  )
}
