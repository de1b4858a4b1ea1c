/** The beginning of a visit: the frame, the files and answers that its document brings, and no layout shifts. */
import type { Page } from '@playwright/test'
import { go, heading, holdBack, row } from './support/actions.ts'
import { carry, expect, fillSignIn, newSession, silo, test, type Person } from './support/world.ts'

const instances = '/projects/storefront/instances'
const looks = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
] as const

/** A cumulative layout shift that rounds to 0.00: a font that comes late moves texts by a pixel. */
const noticeable = 0.005

/** The layout shifts in the page since it was opened: the score and the elements of each. */
async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: string[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        sources?: { node?: Node | null }[]
      })[]) {
        const nodes = (entry.sources ?? []).map(({ node }) =>
          node instanceof Element ? node.outerHTML.slice(0, 200) : String(node?.textContent),
        )
        shifts.push(`${entry.value} ${nodes.join(' | ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
}

/** A document as a server sends it that could not answer in time. */
const withoutAnswers = (page: Page) =>
  page.route(/\/projects/, async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue()
    const response = await route.fetch()
    const text = await response.text()
    expect(text).toContain('id="first-answers"')
    await route.fulfill({
      response,
      body: text.replace(/<script type="application\/json".*?<\/script>/s, ''),
    })
  })

const arrivals: { name: string; path: string; as?: Person; shows: string; failing?: RegExp; at?: RegExp }[] =
  [
    { name: 'a person', path: instances, as: 'hanna-okafor', shows: 'Instances' },
    { name: 'someone who is signed out', path: instances, shows: 'Sign in' },
    { name: 'a person without roles', path: '/projects', as: 'sofia-reyes', shows: 'You have no role yet' },
    {
      name: 'an address that does not exist',
      path: '/projects/none/nothing',
      as: 'hanna-okafor',
      shows: 'Page not found',
    },
    {
      name: 'first data that fail',
      path: instances,
      as: 'hanna-okafor',
      shows: 'Something went wrong',
      failing: /\/v1\/(me|projects\/storefront)$/,
    },
  ]

for (const { name, path, as, shows, failing } of arrivals)
  for (const { theme, width } of looks)
    test(`nothing moves for ${name}, ${theme}, ${width} px wide`, async ({
      page,
      context,
      site,
      troubles,
    }) => {
      troubles.allow(/^ApiError|^(403|404|500) /)
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: theme })
      if (as) await carry(context, site, await newSession(site.origin, as))
      if (failing) {
        await withoutAnswers(page)
        await page.route(failing, (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
      }
      const shifts = await watchShifts(page)
      await page.goto(path)
      await expect(page.getByRole('heading', { name: shows }).first()).toBeVisible()
      await page.waitForLoadState('networkidle')
      const moved = await shifts()
      const score = moved.reduce((sum, one) => sum + Number.parseFloat(one), 0)
      expect(score, moved.join('\n')).toBeLessThan(noticeable)
    })

test('the frame is painted in the chosen theme before a script has come', async ({ page, context, site }) => {
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  const letGo = await holdBack(page, /\/assets\/.*\.js$/)
  await page.addInitScript(() => localStorage.setItem('purlin-theme', 'dark'))
  await takeContent(page, instances)
  await page.goto(instances, { waitUntil: 'commit' })
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  letGo()
  await expect(row(page, 'shop-a')).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
})

test('the first load asks for few files, and nothing of what its document brought', async ({
  page,
  context,
  site,
}) => {
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  const asked: { path: string; type: string }[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    asked.push({ path: pathname + search, type: request.resourceType() })
  })
  await page.goto(instances)
  await expect(row(page, 'shop-a')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const paths = asked.map(({ path }) => path)
  expect(
    paths.filter((path, i) => paths.indexOf(path) < i),
    'nothing is fetched twice',
  ).toEqual([])
  expect(asked.filter(({ path }) => path.startsWith('/v1/'))).toEqual([])
  const early = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')].map(({ href }) => href),
  )
  expect(early.length).toBeGreaterThan(5)
  expect(early.length).toBeLessThanOrEqual(10)
  const files = new Set(early.map((href) => new URL(href).pathname))
  // Some browsers ask for the icon.
  const others = asked.filter(({ path, type }) => !files.has(path) && type !== 'other')
  expect(others.map(({ type }) => type).toSorted()).toEqual(['document', 'font', 'font', 'stylesheet'])
  await expect(page.locator('link[as=font][fetchpriority=low]'), 'fonts go last').toHaveCount(2)
  // The answers in the document do not stay in it.
  await expect(page.locator('#first-answers')).toHaveCount(0)
})

/** Has the document of a path bring the frame alone, as it does where the answers are slow. */
const takeContent = (page: Page, path: string): Promise<unknown> =>
  page.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      const bare = text.replace(/<script type="application\/json" id="first-answers">.*?<\/script>/s, '')
      await route.fulfill({ response, body: bare })
    },
  )

test('the frame has no controls, and the page after it can be used immediately', async ({
  page,
  context,
  site,
}) => {
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  const letGo = await holdBack(page, /\/assets\/.*\.js$/)
  await page.goto(instances, { waitUntil: 'commit' })
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  const controls = page.locator('#root').locator('a, button, input, select, textarea, [role=button]')
  // The frame's own link and button are out of sight and out of reach.
  await expect(controls.and(page.locator(':not([inert] *, .sr-only)'))).toHaveCount(0)
  await expect(controls.and(page.locator(':not(a)')).filter({ visible: true })).toHaveCount(0)
  await expect(page.locator('#root')).not.toContainText('shop-a')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  letGo()
  const box = row(page, 'shop-a').getByRole('checkbox')
  await box.click()
  await expect(box).toBeChecked()
})

test('an address that changes during the first load is followed', async ({ page, context, site }) => {
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  await takeContent(page, '/projects/storefront/disks')
  const asked = page.waitForRequest(/\/v1\/me$/)
  const letGo = await holdBack(page, /\/v1\/me$/)
  await page.goto('/projects/storefront/disks')
  await asked
  await go(page, instances)
  letGo()
  await expect(heading(page, 'Instances')).toBeVisible()
  await expect(row(page, 'shop-a')).toBeVisible()
})

test('an address that changes between loading and rendering is followed', async ({ page, context, site }) => {
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  await page.addInitScript((to) => {
    // React listens at the root from its creation on, which is before it renders.
    const { prototype } = EventTarget
    const listen = Reflect.get(prototype, 'addEventListener') as (...args: unknown[]) => void
    prototype.addEventListener = function (...args: unknown[]) {
      if (this instanceof Element && this.id === 'root') {
        prototype.addEventListener = listen
        window.history.pushState(null, '', to)
      }
      listen.apply(this, args)
    }
  }, instances)
  await page.goto('/projects/storefront/disks')
  await expect(heading(page, 'Instances')).toBeVisible()
  await expect(row(page, 'shop-a')).toBeVisible()
})

test('after signing out the back button shows no user’s data', async ({ page, context, site, troubles }) => {
  troubles.allow(/^401 /)
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  await page.goto(instances)
  await expect(row(page, 'shop-a')).toBeVisible()
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  await page.goBack()
  await expect(heading(page, 'Sign in')).toBeVisible()
  await expect(row(page, 'shop-a')).toHaveCount(0)
  await page.goto(`/login/${silo}/local?redirect_uri=/projects`)
  await fillSignIn(page, 'rosa-lima')
  await expect(page.getByRole('button', { name: 'User menu: rosa-lima' })).toBeVisible()
})
