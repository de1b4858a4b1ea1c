/** Every screen and dialog in both themes, against WCAG 2.2 A and AA and what the rules' authors call best practice. */
import type { Page } from '@playwright/test'
import { urlOf } from '@purlin/contract/client'
import type { OpShape } from '@purlin/contract/op'
import { operations } from '@purlin/contract/operations'
import { plainName } from '@purlin/contract/operations/plain'
import { hasNames, kindOf } from '@purlin/contract/rules/kinds'
import auditor, { type AxeResults, type RunOnly } from 'axe-core'
import { button, dialog, find, go, heading, menuItem, openRowMenu, row, textbox } from './support/actions.ts'
import { firstRow, placeOfFirstRow, screens, sectionOfFirstRow, shownOn } from './screens/screens.ts'
import * as upload from './support/upload.ts'
import { expect, silo, test, type Person } from './support/world.ts'

// So high that a bar at the end of the window covers no row: rows that can be scrolled from under it are no failure, but
// axe counts them, and how many rows there are depends on the journeys that ran before.
test.use({ viewport: { width: 1440, height: 2400 } })

// Themes differ in colours only, so the second theme is checked for contrast only.
const looks = {
  light: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const satisfies Record<string, RunOnly>

declare global {
  interface Window {
    axe: typeof auditor
  }
}

// Dialogs and menus above a page.
const layers = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [role="tooltip"]'

/** Checks the screen in both themes; of a page that was checked already only the dialogs and menus above it. */
async function expectAccessible(page: Page, what: string, { over = false } = {}) {
  const isOver = over && (await page.locator(layers).count()) > 0
  for (const theme of ['light', 'dark'] as const)
    await test.step(`${what}, ${theme}`, async () => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.waitForFunction(arrived, theme)
      const within = isOver ? layers : 'html'
      const found = await audit(page, within, looks[theme])
      // The page may still change: its final state counts.
      const left =
        found.length === 0 ? found : await quiet(page).then(() => audit(page, within, looks[theme]))
      expect.soft(left, `${what}, ${theme}`).toEqual([])
    })
}

const quietMs = 500
/** Resolves when nothing has changed in the page for a while. */
const quiet = (page: Page) =>
  page.evaluate(
    (ms) =>
      new Promise<void>((resolve) => {
        const done = () => {
          observer.disconnect()
          resolve()
        }
        let timer = setTimeout(done, ms)
        const observer = new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(done, ms)
        })
        observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
      }),
    quietMs,
  )

/**
 * On a small laptop, and at 320 px, which is 1280 px at four times the size, nothing scrolls sideways but tables in their
 * frames (WCAG 2.2, 1.4.10).
 */
async function expectNarrow(page: Page, what: string): Promise<void> {
  const size = page.viewportSize()
  for (const width of [1024, 320]) await expectWithin(page, what, width)
  if (size) await page.setViewportSize(size)
}

async function expectWithin(page: Page, what: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  const wide = await page.evaluate(
    (width) =>
      [
        document.documentElement,
        ...document.querySelectorAll(
          '[data-testid="scroll-container"], [data-testid="sidemodal-scroll-container"]',
        ),
      ]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .flatMap((box) =>
          [...box.querySelectorAll('*')]
            .filter(
              (one) => one.getBoundingClientRect().right > width + 1 && !one.closest('.overflow-x-auto'),
            )
            .map((one) => `${one.tagName} ${(one.getAttribute('class') ?? '').slice(0, 60)}`)
            .slice(0, 3),
        ),
    width,
  )
  expect.soft(wide, `${what} at ${width} px`).toEqual([])
  expect.soft(await page.evaluate(barely), `${what} at ${width} px`).toEqual([])
}

/**
 * Runs in the page: the boxes that scroll sideways, and down by a few pixels only. Where scroll bars take room, these show one that
 * leads nowhere, as a row of tabs does that is a pixel higher than its box.
 */
function barely(): string[] {
  return [...document.querySelectorAll('.overflow-x-auto')]
    .filter((box) => /auto|scroll/.test(getComputedStyle(box).overflowY))
    .filter((box) => box.scrollHeight > box.clientHeight && box.scrollHeight - box.clientHeight < 8)
    .map((box) => `${box.tagName} ${(box.getAttribute('class') ?? '').slice(0, 60)}`)
}

/** Runs in the page: whether a theme is shown. Colour transitions are finished first, because their colours have other contrasts. */
function arrived(theme: string): boolean {
  if (document.documentElement.dataset['theme'] !== theme) return false
  // A transition of an inherited colour only starts when the one of its parent has ended.
  for (let all = document.getAnimations(); all.length > 0; all = document.getAnimations())
    for (const one of all) one.finish()
  return true
}

/** The violations within the elements of a selector: rule, element and reason. */
async function audit(page: Page, within: string, runOnly: RunOnly): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(auditor.source)
  const { violations } = await page.evaluate(
    ([include, runOnly]): Promise<AxeResults> =>
      window.axe.run({ include }, { runOnly, resultTypes: ['violations'] }),
    [within, runOnly] as const,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}

type Opens = Record<string, (page: Page) => Promise<unknown>>

const form = (name: string) => (page: Page) => expect(dialog(page, name)).toBeVisible()
const fromMenu = (of: string | RegExp, item: string) => async (page: Page) => {
  await openRowMenu(page, of)
  await menuItem(page, item).click()
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog')).first()).toBeVisible()
}

/**
 * The elements to open on a screen, one after another; Escape closes each. `at` is another address of the same
 * screen.
 */
const opened: Record<string, { at?: string; opens: Opens }> = {
  'disk-schedule': {
    opens: {
      form: async (page) => {
        await button(dialog(page, 'Disk'), 'Change').click()
        await form('Change snapshot schedule')(page)
      },
    },
  },
  projects: {
    opens: {
      'row menu': (page) => openRowMenu(page, 'storefront'),
      'delete project': fromMenu('storefront', 'Delete'),
      'user menu': (page) => button(page, 'User menu: hanna-okafor').click(),
      guides: (page) => button(page, 'Learn about projects').click(),
      keys: async (page) => {
        await page.keyboard.press('?')
        await form('Keys')(page)
      },
      palette: async (page) => {
        await page.keyboard.press('ControlOrMeta+k')
        await form('Quick actions')(page)
      },
    },
  },
  'project-create': {
    opens: {
      'form with errors': async (page) => {
        await form('Create project')(page)
        await button(page, 'Create project').click()
        await textbox(page, 'Description').fill('changed')
      },
      'unsaved changes': async (page) => {
        await textbox(page, 'Description').fill('changed')
        await page.keyboard.press('Escape')
        await form('Confirm navigation')(page)
      },
    },
  },
  instances: {
    opens: {
      resize: fromMenu('ingest-gateway', 'Resize'),
      stop: fromMenu('collector-01', 'Stop'),
      'row menu with reasons': (page) => openRowMenu(page, 'collector-01'),
    },
  },
  'instance-create': {
    opens: {
      advanced: (page) => page.getByRole('button', { name: /^Advanced/ }).click(),
      errors: (page) => button(page, 'Create instance').click(),
      'new disk': async (page) => {
        await button(page, 'Create new disk').click()
        await form('Create disk')(page)
      },
      template: async (page) => {
        await button(page, 'Fill in a template').click()
        await find(page, dialog(page, 'Fill in a template'), 'Template', 'web-server')
        await expect(page.getByRole('region', { name: 'User data' })).toContainText('Hello')
      },
    },
  },
  'instance-storage': {
    at: '/projects/telemetry/instances/ingest-gateway/storage',
    opens: {
      'attach disk': async (page) => {
        await button(page, 'Attach existing disk').click()
        await form('Attach disk')(page)
        await page.getByRole('combobox', { name: 'Disk name' }).click()
      },
      actions: (page) => button(page, 'Instance actions').click(),
    },
  },
  'instance-networking': {
    at: '/projects/telemetry/instances/ingest-gateway/networking',
    opens: {
      'row menu': (page) => openRowMenu(page.getByRole('table', { name: 'External IPs' }), 'snat'),
      'attach ephemeral IP': async (page) => {
        await button(page, 'Attach ephemeral IP').click()
        await form('Attach ephemeral IP')(page)
      },
      'add interface': async (page) => {
        await button(page, 'Add network interface').click()
        await form('Add network interface')(page)
      },
      'edit interface with a transit IP': async (page) => {
        await fromMenu(/^net0/, 'Edit')(page)
        await textbox(page, 'Transit IPs').fill('10.0.0.0/8')
        await page.keyboard.press('Enter')
        await textbox(page, 'Transit IPs').fill('10')
        await page.keyboard.press('Enter')
      },
    },
  },
  'instance-connect': { opens: { command: (page) => button(page, 'CLI Command').click() } },
  'instance-metrics-cpu': {
    at: '/projects/telemetry/instances/collector-01/metrics/cpu',
    opens: {
      crosshair: async (page) => {
        const both = page.getByRole('slider')
        await expect(both).toHaveCount(2)
        await both.first().focus()
        await page.keyboard.press('Home')
      },
      'time range': (page) => page.getByRole('button', { name: / – / }).click(),
    },
  },
  'instance-metrics-disk': {
    at: '/projects/telemetry/instances/collector-01/metrics/disk?range=24h',
    opens: { charts: (page) => expect(page.getByText('Not shown').first()).toBeVisible() },
  },
  'instance-metrics-network': {
    at: '/projects/telemetry/instances/collector-01/metrics/network',
    opens: {
      'charts and a table': async (page) => {
        await expect(page.getByRole('slider')).toHaveCount(5)
        await button(page, 'Bytes Sent: show as table').click()
      },
    },
  },
  'floating-ips': {
    opens: {
      'delete what is attached': fromMenu('ingest', 'Delete'),
      pool: (page) => button(page, 'public-v4').click(),
    },
  },
  'floating-ip-create': {
    at: '/projects/batch-lab/floating-ips-new',
    opens: {
      attach: async (page) => {
        await form('Create floating IP')(page)
        await expectAccessible(page, 'create')
        await textbox(page, 'Name').fill('free')
        await button(page, 'Create floating IP').click()
        await fromMenu('free', 'Attach')(page)
        await page.getByRole('combobox', { name: 'Instance' }).click()
      },
    },
  },
  disks: {
    opens: {
      'row menu': (page) => openRowMenu(page, 'spare'),
      selection: (page) => page.getByRole('checkbox', { name: 'Select spare' }).check(),
      'disk from a snapshot': async (page) => {
        await go(page, '/projects/telemetry/disks-new')
        await page.getByRole('radio', { name: /^Snapshot/ }).check()
        await button(page, /Source snapshot/).click()
      },
    },
  },
  snapshots: { opens: { 'delete snapshot': fromMenu('ingest-before-upgrade', 'Delete') } },
  'snapshot-create': {
    opens: {
      'snapshot with errors': async (page) => {
        await form('Create snapshot')(page)
        await button(page, 'Create snapshot').click()
      },
    },
  },
  'project-images': { opens: { promote: fromMenu('collector-golden', 'Promote') } },
  'image-upload': {
    opens: {
      'upload with errors and doubts': async (page) => {
        await upload.choose(page, upload.fileOf('disk.qcow2', Buffer.alloc(4096, 1)))
        await upload.submit(page)
        await expect(page.getByText('This image might not be bootable')).toBeVisible()
      },
    },
  },
  'silo-images': {
    opens: {
      demote: fromMenu('debian-13', 'Demote'),
      'promote from a project': async (page) => {
        await button(page, 'Promote image').click()
        await button(dialog(page, 'Promote image'), 'Promote').click()
      },
    },
  },
  'affinity-groups': {
    opens: {
      'row menu': (page) => openRowMenu(page, 'collectors-apart'),
      'delete group': fromMenu('collectors-apart', 'Delete'),
    },
  },
  'affinity-group': {
    opens: {
      'add instance': async (page) => {
        await button(page, 'Add instance').click()
        await form('Add instance to group')(page)
        await page.getByRole('combobox', { name: 'Instance' }).click()
      },
      'running instance': async (page) => {
        await button(page, 'Add instance').click()
        await find(page, dialog(page, 'Add instance to group'), 'Instance', 'query-failed')
      },
      'remove member': fromMenu('collector-01', 'Remove from group'),
    },
  },
  'project-access': {
    opens: {
      'remove role': fromMenu('rosa-lima', 'Remove role'),
      'change role': fromMenu('rosa-lima', 'Change role'),
    },
  },
  'ip-pools': {
    opens: {
      area: (page) => button(page, 'Switch between system and silo').click(),
      'row menu with reasons': (page) => openRowMenu(page, 'public-v4'),
    },
  },
  'ip-pool': { opens: { 'remove range': fromMenu('10.90.4.10', 'Remove') } },
  'ip-pool-silos': {
    opens: {
      'make default': fromMenu('engineering', 'Make default'),
      'link silo': async (page) => {
        await button(page, 'Link silo').click()
        await form('Link silo')(page)
        await page.getByRole('combobox', { name: 'Silo' }).click()
      },
    },
  },
  'ip-range-add': {
    opens: {
      'range with errors': async (page) => {
        await form('Add IP range')(page)
        await button(page, 'Add IP range').click()
      },
    },
  },
  'ssh-keys': { opens: { 'delete key': fromMenu('workstation', 'Delete') } },
}

/** Screens in other states; `title` is the heading that says the page is there. */
const states: { path: string; title: string; opens?: Opens }[] = [
  {
    path: '/projects/telemetry/instances/query-failed/storage',
    title: 'query-failed',
    opens: { 'auto-restart': (page) => button(page, 'Auto-restart status').click() },
  },
  {
    path: '/projects/telemetry/instances/collector-01/metrics/cpu?range=3h',
    title: 'collector-01',
    opens: {
      query: async (page) => {
        await button(page, 'CPU Utilization: Running: actions').click()
        await menuItem(page, 'View OxQL query').click()
        await form('OxQL query')(page)
      },
    },
  },
  { path: '/projects/batch-lab/instances?find=worker-06', title: 'Instances' },
  { path: '/projects/batch-lab/instances?find=nothing-like-it', title: 'Instances' },
  { path: '/projects/batch-lab/instances/worker-001/metrics/disk', title: 'worker-001' },
  { path: '/projects/storefront/disks', title: 'Disks' },
  { path: '/projects/batch-lab/disks', title: 'Disks' },
  { path: '/projects/batch-lab/affinity', title: 'Affinity Groups' },
  {
    path: '/projects/telemetry/instances/ingest-gateway/settings',
    title: 'ingest-gateway',
    opens: {
      'add to group': async (page) => {
        await button(page, 'Add to group').click()
        await page.getByRole('combobox', { name: 'Anti-affinity group' }).click()
      },
    },
  },
  { path: '/projects/telemetry/instances/collector-01/settings', title: 'collector-01' },
]

// Pages that need more preparation have separate tests.
const apart = ['sign-in', 'serial-console', 'not-found']
interface Place {
  path: string
  title?: string
  shows: Parameters<typeof shownOn>[1]
  as?: Person | undefined
  opens?: Opens | undefined
}
const places: Place[] = [
  ...screens
    .filter(([name]) => !apart.includes(name))
    .map(([name, path, shows, as]) => ({
      path: opened[name]?.at ?? path,
      shows,
      as,
      opens: opened[name]?.opens,
    })),
  ...states.map(({ title, ...state }) => ({ ...state, title, shows: title })),
]

test('opened elements belong to a screen of the list', () => {
  const names = screens.map(([name]) => name)
  expect([...Object.keys(opened), ...apart].filter((name) => !names.includes(name))).toEqual([])
})

/** The address as it is with the first row of its list, by its name or id, if it names that. Needs a page with a session. */
async function withFirstRow(page: Page, path: string): Promise<string> {
  const kind = sectionOfFirstRow(path)
  if (!kind) return path
  const name = plainName(kind, 'List')
  const lists: Partial<Record<string, OpShape>> = operations
  const list = lists[name]
  if (!list) throw new Error(`there is no ${name}`)
  const url = urlOf(list, { query: { ...placeOfFirstRow(kind), limit: 1 } })
  const [row] = await page.evaluate(async (at) => (await (await fetch(at)).json()).items, url)
  expect(row, `the demo has a ${kindOf(kind).noun}`).toBeDefined()
  return path.replace(firstRow, hasNames(kind) ? row.name : row.id)
}

async function isThere(page: Page, { title = '', shows }: Pick<Place, 'title' | 'shows'>): Promise<void> {
  await expect(page.locator('h1', { hasText: title })).toBeVisible()
  await expect(shownOn(page, shows)).toBeVisible()
  // Each part of the title says something new.
  const parts = (await page.title()).split(' / ')
  expect(parts.filter((part, i) => part === parts[i + 1])).toEqual([])
}

for (const { opens, path, as, ...place } of places)
  if (opens)
    test(`everyone can use ${path}`, async ({ page, enter }) => {
      await enter(path, as)
      await isThere(page, place)
      const over = Object.keys(opens).length !== 1
      await expectNarrow(page, path)
      if (over) await expectAccessible(page, 'page')
      for (const [what, open] of Object.entries(opens)) {
        await open(page)
        await expectAccessible(page, what, { over })
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
      }
    })

// Screens without such elements share a page: a separate page for each takes longer than the audit.
const perTest = 6
const plain = Map.groupBy(
  places.filter(({ opens }) => !opens),
  ({ as }) => as ?? 'hanna-okafor',
)
for (const [person, theirs] of plain)
  for (let at = 0; at < theirs.length; at += perTest) {
    const some = theirs.slice(at, at + perTest)
    test(`everyone can use ${some.map(({ path }) => path).join(', ')}`, async ({ page, enter, troubles }) => {
      // The page of a test that is over says so.
      troubles.allow(/sign-in-test/)
      for (const [i, { path, ...place }] of some.entries())
        await test.step(path, async () => {
          // The list, which this person may see.
          const [list = path] = path.split(`/${firstRow}/`)
          if (i === 0) await enter(list, person)
          if (i > 0 || sectionOfFirstRow(path)) await go(page, await withFirstRow(page, path))
          await isThere(page, place)
          await expectAccessible(page, path)
          await expectNarrow(page, path)
        })
    })
  }

test('everyone can use the serial console', async ({ page, enter }) => {
  await enter('/projects/storefront/instances/shop-a/serial-console')
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await expectAccessible(page, 'connected')
  await go(page, '/projects/storefront/instances/shop-db/serial-console')
  await expect(page.getByText('disconnected', { exact: true })).toBeVisible()
  await expectAccessible(page, 'disconnected')
})

test('everyone can follow an upload', async ({ page, enter, troubles }) => {
  troubles.allow(/^500 /)
  await enter('/projects/telemetry/images-new')
  await upload.fillDetails(page, 'audited')
  await upload.choose(page, upload.fileOf('audited.raw'))
  await page.route(/\/finalize/, (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.route(/\/blocks\?/, (route) => route.abort())
  await upload.submit(page)
  await expect(button(page, 'Resume')).toBeVisible()
  await expectAccessible(page, 'held up')
  await button(page, 'Cancel').last().click()
  await form('Cancel upload?')(page)
  await expectAccessible(page, 'asked to give it up')
  await button(page, 'Keep uploading').click()
  await page.unroute(/\/blocks\?/)
  await expect(button(page, 'Try again')).toBeVisible()
  await expectAccessible(page, 'failed')
  await page.unroute(/\/finalize/)
  await button(page, 'Try again').click()
  await upload.isUploaded(page)
  await expectAccessible(page, 'done')
})

test('everyone can sign in', async ({ page, troubles }) => {
  troubles.allow(/^401 /)
  await page.goto(`/login/${silo}/local`)
  await expect(heading(page, 'Sign in')).toBeVisible()
  await button(page, 'Sign in').click()
  await expectAccessible(page, 'sign-in')
})

test('everyone can use the error screens', async ({ page, enter, troubles }) => {
  troubles.allow(/^40[34] /, /^ApiError/)
  await enter('/projects', 'sofia-reyes')
  await expect(heading(page, 'You have no role yet')).toBeVisible()
  await expectAccessible(page, 'refused')
  await go(page, '/no/such/page')
  await expect(heading(page, 'Page not found')).toBeVisible()
  await expectAccessible(page, 'not found')
})

test('everyone can use what is out of date while the server is away', async ({
  page,
  context,
  enter,
  troubles,
}) => {
  troubles.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  const stream = page.waitForRequest(/\/v1\/events\?/)
  await enter('/projects/telemetry/disks')
  await expect(row(page, 'scratch')).toBeVisible()
  await stream
  await context.setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await expectAccessible(page, 'offline')
  await expectNarrow(page, 'offline')
})

test('everyone can use a narrow window', async ({ page, enter }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await enter('/projects/storefront/instances')
  await expect(row(page, 'shop-a')).toBeVisible()
  await expectAccessible(page, 'list')
  await button(page, 'Open navigation').click()
  await expectAccessible(page, 'drawer')
})

test('forced colours show what is checked, current, chosen, disabled and filled', async ({ page, enter }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await enter('/projects/telemetry/disks')
  const look = (css: string, property: string, pseudo?: string) =>
    page
      .locator(css)
      .first()
      .evaluate((one, [name, of]) => getComputedStyle(one, of).getPropertyValue(name), [
        property,
        pseudo,
      ] as const)
  const box = 'tbody input[type="checkbox"]:enabled'
  await page.locator(box).first().check()
  const fill = 'background-color'
  expect(await look(`${box}:checked`, fill)).not.toBe(await look(`${box}:not(:checked)`, fill))
  expect(await look('tr[data-selected]', 'outline-style')).toBe('solid')
  const link = 'nav[aria-label="Sidebar navigation"] a'
  expect(await look(`${link}[aria-current]`, fill)).not.toBe(await look(`${link}:not([aria-current])`, fill))
  expect(await look('a.text-on-accent', 'forced-color-adjust')).toBe('none')
  const next = 'button[aria-disabled="true"]'
  expect(await look(next, 'color')).not.toBe(await look('button:not([aria-disabled="true"])', 'color'))
  await go(page, '/projects/telemetry/instances/ingest-gateway/storage')
  await expect(page.getByRole('tab', { name: 'Storage' })).toBeVisible()
  const tab = '[role="tab"]'
  expect(await look(`${tab}[aria-selected="true"]`, fill)).not.toBe(
    await look(`${tab}[aria-selected="false"]`, fill),
  )
  await go(page, '/projects/telemetry/overview')
  await expect(page.getByRole('meter').first()).toBeVisible()
  expect(await look('[role="meter"] > span', fill)).not.toBe(await look('[role="meter"]', fill))
  await go(page, '/projects/telemetry/instances-new')
  const create = 'button[type="submit"]'
  await expect(page.locator(create)).toBeVisible()
  // A browser puts the colour of the page behind texts otherwise, which is that of the text.
  expect(await look(`${create} span`, 'forced-color-adjust')).toBe('none')
  expect(await look(create, fill)).not.toBe(await look(`${create} span`, 'color'))
  expect(await look('label:has(input[type="radio"]:checked)', 'outline-style')).toBe('solid')
  await enter('/system/issues', 'tariq-aziz')
  await expect(page.locator(`${link}[aria-current]`).getByText(/^\d+$/)).toBeVisible()
  expect(await look(`${link}[aria-current] [class*="-soft"]`, fill)).toBe('rgba(0, 0, 0, 0)')
})

test('the guide', async ({ page }) => {
  for (const path of ['/docs', '/docs/troubleshooting', '/docs/instances', '/docs/api', '/docs/api/disks']) {
    await page.goto(path)
    await expectAccessible(page, path)
    await expectNarrow(page, path)
  }
})
