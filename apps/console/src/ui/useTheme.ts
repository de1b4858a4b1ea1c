import { useStore } from '#/lib/store.ts'
import type { MenuSection } from './overlay/menuItems.ts'
import { type Theme, type ThemeChoice, themeStore } from './theme.ts'
import { densityStore, type Density } from './table/density.ts'
import { type ZoneChoice, zoneStore } from './value/timeZone.ts'

/** The theme on screen; changes with the person's choice and the system's. */
export const useTheme = (): Theme => useStore({ ...themeStore, get: themeStore.shown })

const themes: Record<ThemeChoice, string> = { light: 'Light', dark: 'Dark', system: 'System' }
const densities: Record<Density, string> = { comfortable: 'Comfortable', compact: 'Compact' }
const zones: Record<ZoneChoice, string> = { local: 'Local time', utc: 'UTC' }

const radios = <T extends string>(
  { title, words }: { title: string; words: Record<T, string> },
  chosen: T,
  onChoose: (choice: T) => void,
): MenuSection => ({
  title,
  items: (Object.keys(words) as T[]).map((choice) => ({
    label: words[choice],
    checked: choice === chosen,
    onAction: () => onChoose(choice),
  })),
})

/** The theme choice as radio items of a menu. */
export const useThemeSection = (): MenuSection =>
  radios({ title: 'Theme', words: themes }, useStore(themeStore), themeStore.set)

/** The choice between local time and UTC as radio items of a menu. */
export const useZoneSection = (): MenuSection =>
  radios({ title: 'Times', words: zones }, useStore(zoneStore), zoneStore.set)

/** The choice of the density of tables as radio items of a menu. */
export const useDensitySection = (): MenuSection =>
  radios({ title: 'Tables', words: densities }, useStore(densityStore), densityStore.set)
