/** The fonts that every page is written in. */
import { inTime } from '#/lib/inTime.ts'

const patienceMs = 500
const families = ['--font-sans', '--font-mono']

/**
 * Waits for the fonts of the theme, so that no text is shown in another one first and then moves; but not for long, and
 * not for one that cannot be had.
 */
export async function fontsLoaded(): Promise<void> {
  const style = getComputedStyle(document.documentElement)
  const loading = families.map((family) => document.fonts.load(`1rem ${style.getPropertyValue(family)}`))
  await inTime(Promise.allSettled(loading), patienceMs)
}
