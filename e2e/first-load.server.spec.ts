/** What a visit begins with: the frame, the files and answers that its document brings, and nothing that moves. */
import type { Locator, Page } from '@playwright/test'
import { go, heading, holdBack, row } from './support/actions.ts'
import { carry, expect, fillSignIn, newSession, silo, test, type Person } from './support/world.ts'

const instances = '/projects/storefront/instances'
const looks = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
] as const

/** A cumulative layout shift that rounds to 0.00: a font that comes late moves texts by a pixel. */
const noticeable = 0.005

/** What moved in the page since it was opened: the score and the elements of each shift. */
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
    { name: 'a person without roles', path: '/projects', as: 'sofia-reyes', shows: 'Something went wrong' },
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
  // What the document has brought does not stay in it.
  await expect(page.locator('#first-answers, #rendered, [data-rendered]')).toHaveCount(0)
})

test('fonts go last where they are not waited for', async ({ page, context, site }) => {
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  // What is rendered of a page waits for them; a form is not rendered.
  await page.goto('/projects/storefront/instances-new')
  await expect(heading(page, 'Create instance')).toBeVisible()
  await expect(page.locator('link[as=font][fetchpriority=low]')).toHaveCount(2)
})

/** Has the document of a path bring the frame alone, as it does where the answers are slow. */
const takeContent = (page: Page, path: string): Promise<unknown> =>
  page.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      const bare = text
        .replace(/<template id="rendered">.*?<\/template>/s, '')
        .replace(/<script type="application\/json" id="first-answers">.*?<\/script>/s, '')
      await route.fulfill({ response, body: bare })
    },
  )

/** Opens a page whose document holds it rendered, and holds its scripts back. Returns what lets them come. */
async function openRendered(page: Page, path: string): Promise<() => void> {
  const letGo = await holdBack(page, /\/assets\/.*\.js$/)
  // The first documents of a server have none, and those that would have to wait for it.
  await expect(async () => {
    const response = await page.goto(path, { waitUntil: 'commit' })
    expect(await response?.text()).toContain('<template id="rendered">')
  }).toPass()
  return letGo
}
const rendered = (page: Page) => page.locator('[data-rendered]')

/** The place of every box that holds a text of its own, which does not tell the time. */
const boxes = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#root :not(time, time *, script, .sr-only, .sr-only *)')].flatMap(
      (one) => {
        const text = [...one.childNodes].map((node) => (node.nodeType === 3 ? node.textContent : '')).join('')
        const { x, y, width, height } = one.getBoundingClientRect()
        return text.trim() === '' ? [] : [[text, ...[x, y, width, height].map(Math.round)].join(' ')]
      },
    ),
  )

for (const { theme, width } of looks)
  for (const path of [instances, '/projects', '/projects/storefront/overview', '/images', '/certificates'])
    test(`${path} is shown before a script has come, ${theme}, ${width} px wide`, async ({
      page,
      context,
      site,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: theme })
      await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
      const letScriptsCome = await openRendered(page, path)
      await expect(rendered(page).getByRole('heading', { level: 1, includeHidden: true })).toBeVisible()
      const before = await boxes(page)
      expect(before.length).toBeGreaterThan(10)
      letScriptsCome()
      await expect(rendered(page)).toHaveCount(0)
      expect(await boxes(page)).toEqual(before)
    })

test('a click is done once the page is there', async ({ page, context, site }) => {
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  const clickEarly = async (what: Locator) => {
    const box = await what.boundingBox()
    if (!box) throw new Error('it is not shown')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  }
  const letScriptsCome = await openRendered(page, instances)
  await clickEarly(rendered(page).locator('tbody tr', { hasText: 'shop-a' }).locator('svg').last())
  letScriptsCome()
  await expect(page.getByRole('menuitem', { name: 'Reboot' })).toBeVisible()

  const letThemCome = await openRendered(page, instances)
  await clickEarly(rendered(page).getByText('shop-a', { exact: true }))
  letThemCome()
  await expect(heading(page, 'shop-a')).toBeVisible()
})

test('what is rendered can’t be used, and is not shown where the browser hides columns', async ({
  page,
  context,
  site,
}) => {
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  const letScriptsCome = await openRendered(page, instances)
  await expect(rendered(page)).toBeVisible()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  letScriptsCome()
  await expect(rendered(page)).toHaveCount(0)
  await page.evaluate(() => localStorage.setItem('purlin-hidden-columns:instance', '["memory"]'))
  const letThemCome = await openRendered(page, instances)
  await expect(page.locator('head script[type=module]')).toHaveCount(1)
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(rendered(page)).toHaveCount(0)
  letThemCome()
  await expect(row(page, 'shop-a')).toBeVisible()
})

test('documents hold their pages rendered', async ({ page, context, site }) => {
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  const lists = ['instances', 'disks', 'snapshots', 'images', 'vpcs', 'affinity', 'floating-ips']
  const tabs = ['storage', 'networking', 'connect', 'activity'].map((tab) => `instances/shop-a/${tab}`)
  const inProject = ['overview', 'activity', ...lists, 'instances?find=shop', ...tabs]
  const inVpc = ['firewall-rules', 'subnets', 'routers']
  const inSilo = ['projects', 'instances', 'images', 'access/users', 'access/groups', 'access/tokens']
  const own = ['profile', 'ssh-keys', 'access-tokens']
  const paths = [
    ...inSilo.map((list) => `/${list}`),
    ...own.map((list) => `/settings/${list}`),
    ...inProject.map((list) => `/projects/storefront/${list}`),
    ...inVpc.map((list) => `/projects/storefront/vpcs/default/${list}`),
  ]
  const hold = async (all: readonly string[]) => {
    for (const path of all) {
      const text = async () => (await page.request.get(path)).text()
      await expect.poll(text, path).toContain('<template id="rendered">')
    }
  }
  await hold(paths)
  await carry(context, site, await newSession(site.origin, 'tariq-aziz'))
  const ofOperators = [
    'silos',
    'silos/engineering/users',
    'silos/engineering/ip-pools',
    'networking/ip-pools',
  ]
  await hold(ofOperators.map((page) => `/system/${page}`))
})

test('a document brings what only its own address says that the page needs', async ({
  page,
  context,
  site,
}) => {
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  const letScriptsCome = await openRendered(page, `${instances}?find=shop`)
  await expect(rendered(page).getByText('shop-a', { exact: true })).toBeVisible()
  const found = await rendered(page).locator('tbody tr').allTextContents()
  expect(found.filter((text) => !text.includes('shop'))).toEqual([])
  letScriptsCome()
  await expect(row(page, 'shop-a')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(asked.filter((path) => path.startsWith('/v1/'))).toEqual([])
})

test('what is rendered is of the person who asks', async ({ playwright, site }) => {
  const people = ['hanna-okafor', 'rosa-lima', 'tariq-aziz'] as const
  const sessions = await Promise.all(people.map((one) => newSession(site.origin, one)))
  const paths = ['/projects', instances, '/projects/batch-lab/disks', '/access/users', '/settings/profile']
  let count = 0
  const request = await playwright.request.newContext({ baseURL: site.origin })
  const look = async (person: number, path: string) => {
    const response = await request.get(path, { headers: { cookie: `session=${sessions[person]}` } })
    const text = await response.text()
    const [markup] = /<template id="rendered">.*?<\/template>/s.exec(text) ?? []
    if (markup === undefined) return
    count++
    const others = people.filter((_, i) => i !== person).map((one) => `User menu: ${one}`)
    expect(markup).toContain(`User menu: ${people[person]}`)
    for (const other of others) expect(markup).not.toContain(other)
  }
  for (let i = 0; i < 4; i++)
    for (const path of paths) await Promise.all(people.map((_, person) => look(person, path)))
  await request.dispose()
  expect(count).toBeGreaterThan(15)
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

test('after signing out the back button shows nobody’s data', async ({ page, context, site, troubles }) => {
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
