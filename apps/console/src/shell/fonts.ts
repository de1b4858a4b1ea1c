/** The fonts that every page is written in. */

const patienceMs = 500
const families = ['--font-sans', '--font-mono']

/**
 * Waits for the fonts of the theme, so that no text is shown in another one first and then moves; but not for long, and
 * not for one that cannot be had.
 */
export async function fontsLoaded(): Promise<void> {
  const style = getComputedStyle(document.documentElement)
  const loading = families.map((family) => document.fonts.load(`1rem ${style.getPropertyValue(family)}`))
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, patienceMs)
  await Promise.race([Promise.allSettled(loading), late])
  clearTimeout(timer)
}
