/** Whether the command palette is open. */
let open = false
const listeners = new Set<() => void>()

function set(next: boolean): void {
  open = next
  for (const listener of listeners) listener()
}

export const openPalette = (): void => set(true)
export const closePalette = (): void => set(false)
export const togglePalette = (): void => set(!open)
export const paletteStore = {
  get: (): boolean => open,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
