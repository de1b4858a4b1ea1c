/** The fonts that every page is written in. */
import { inTime } from '#/lib/inTime.ts'

const patienceMs = 500
const families = ['--font-sans', '--font-mono']

/** Waits for the styles of all pages, which name the fonts, until they are there or cannot be had. */
async function stylesLoaded(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('[rel="stylesheet"]')
  if (link && !link.sheet)
    await new Promise((done) => {
      link.addEventListener('load', done)
      link.addEventListener('error', done)
    })
}

/**
 * Waits for the styles of all pages and for the fonts of the theme, so that no text is shown in another one first and then
 * moves; but for fonts not for long, and not for one that cannot be had.
 */
export async function stylesAndFontsLoaded(): Promise<void> {
  await stylesLoaded()
  const style = getComputedStyle(document.documentElement)
  const loading = families.map((family) => document.fonts.load(`1rem ${style.getPropertyValue(family)}`))
  await inTime(Promise.allSettled(loading), patienceMs)
}
