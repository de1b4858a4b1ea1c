import { keptChoice, type Store } from '#/lib/store.ts'

/** How high the rows of tables are. */
export type Density = 'comfortable' | 'compact'

const kept = keptChoice<Density>('purlin-density', ['comfortable', 'compact'])

/** The choice of density, kept per browser; public/theme.js applies it before first paint. */
export const densityStore: Store<Density> = {
  ...kept,
  set: (choice) => {
    kept.set(choice)
    window.dispatchEvent(new Event('purlin-theme'))
  },
}
