/** Visits addresses within the page, as links do, and reads what identifies each page. */
import type { Page } from '@playwright/test'

/** The page at an address. `error` is the heading of the screen or panel that is shown instead. */
export interface Visit {
  asked: string
  path: string
  title: string
  crumbs: string[]
  error: string | undefined
}

/**
 * Visits each path. The page is hidden: its layout and painting take as long as everything else, and nothing that is
 * read here depends on them.
 */
export const visitAll = (page: Page, paths: readonly string[]): Promise<Visit[]> =>
  page.evaluate(async (all) => {
    interface Router {
      history: { location: { href: string } }
      state: {
        status: string
        location: { href: string }
        resolvedLocation?: { href: string }
        matches: { status: string }[]
      }
    }
    // Entering the console from the sign-in page keeps the router.
    const router: Router = Reflect.get(window, '__TSR_ROUTER__')
    const errors = ['Page not found', 'You have no role yet', 'Something went wrong']
    const crumbs = 'nav[aria-label="Breadcrumbs"] a'
    const textsOf = (css: string) => [...document.querySelectorAll(css)].map((one) => one.textContent)
    const nextFrame = () => new Promise(requestAnimationFrame)
    const errorShown = () => textsOf('h1, [role="dialog"] h2').find((text) => errors.includes(text))
    const isLoaded = () => {
      const { status, location, resolvedLocation, matches } = router.state
      const isThere = [resolvedLocation?.href, router.history.location.href].every(
        (at) => at === location.href,
      )
      // The screen or panel of an error is fetched when the first one is shown.
      const hasFailed = matches.some(({ status: of }) => of !== 'success')
      if (status !== 'idle' || !isThere || textsOf('h1').length === 0) return false
      // The frame of the console is fetched by the first page in it.
      const isFramed = document.title === 'Purlin' || textsOf(crumbs).length > 0
      return errorShown() !== undefined || (!hasFailed && isFramed)
    }
    const read = () => ({
      path: window.location.pathname + window.location.search,
      title: document.title,
      crumbs: textsOf(crumbs),
      error: errorShown(),
    })
    /** The page once it is loaded and two frames have left it as it is: the title follows the content. */
    const settled = async () => {
      for (let before = '', frames = 0; ;) {
        await nextFrame()
        const now = isLoaded() ? JSON.stringify(read()) : ''
        frames = now === before ? frames + 1 : 0
        if (now !== '' && frames === 2) return read()
        before = now
      }
    }
    document.body.style.display = 'none'
    const visits = []
    for (const path of all) {
      window.history.pushState(null, '', path)
      visits.push({ asked: path, ...(await settled()) })
    }
    return visits
  }, paths)
