/** Every screen and dialog in both themes, against WCAG 2.2 A and AA and what the rules' authors call best practice. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { button, dialog, go, heading, menuItem, openRowMenu, row, textbox } from './support/actions.ts'
import { expect, silo, test } from './support/world.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
// Themes differ in colours only: the second look asks no more than that.
const looks = {
  light: (axe: AxeBuilder) => axe.withTags(tags),
  dark: (axe: AxeBuilder) => axe.withRules(['color-contrast', 'link-in-text-block']),
}

/** Looks at what is on screen now, in both themes. */
async function expectAccessible(page: Page, what: string) {
  for (const theme of ['light', 'dark'] as const)
    await test.step(`${what}, ${theme}`, async () => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await expect(page.locator(`html[data-theme="${theme}"]`)).toBeVisible()
      // Colours that are on their way to the other theme have contrasts of their own.
      await page.evaluate(async () => {
        const frame = () =>
          new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        await frame()
        // A colour inherited from one that is on its way may set out only when that has arrived.
        for (let all = document.getAnimations(); all.length > 0; all = document.getAnimations()) {
          await Promise.all(all.map((one) => one.finished.catch(() => null)))
          await frame()
        }
      })
      // There are no frames of other sites, so no second page is needed to gather what they say.
      const { violations } = await looks[theme](new AxeBuilder({ page }).setLegacyMode(true)).analyze()
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
      )
      expect.soft(found, `${what}, ${theme}`).toEqual([])
    })
}

interface Place {
  path: string
  /** Level-1 heading that says the page is there. */
  title: string
  /** What is opened there, one after another; Escape closes each. */
  opens?: Record<string, (page: Page) => Promise<unknown>>
}

const form = (name: string) => (page: Page) => expect(dialog(page, name)).toBeVisible()
const fromMenu = (of: string, item: string) => async (page: Page) => {
  await openRowMenu(page, of)
  await menuItem(page, item).click()
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog')).first()).toBeVisible()
}

const places: Place[] = [
  {
    path: '/projects',
    title: 'Projects',
    opens: {
      'row menu': (page) => openRowMenu(page, 'storefront'),
      'delete project': fromMenu('storefront', 'Delete'),
      'user menu': (page) => button(page, 'User menu: hanna-okafor').click(),
      guides: (page) => button(page, 'Learn about projects').click(),
      palette: async (page) => {
        await page.keyboard.press('ControlOrMeta+k')
        await form('Quick actions')(page)
      },
    },
  },
  {
    path: '/projects-new',
    title: 'Projects',
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
  { path: '/projects/storefront/edit', title: 'Projects', opens: { 'edit project': form('Edit project') } },
  {
    path: '/projects/telemetry/instances',
    title: 'Instances',
    opens: {
      resize: fromMenu('ingest-gateway', 'Resize'),
      stop: fromMenu('collector-01', 'Stop'),
      'row menu with reasons': (page) => openRowMenu(page, 'collector-01'),
    },
  },
  {
    path: '/projects/telemetry/instances-new',
    title: 'Create instance',
    opens: {
      advanced: (page) => page.getByRole('button', { name: /^Advanced/ }).click(),
      errors: (page) => button(page, 'Create instance').click(),
      'new disk': async (page) => {
        await button(page, 'Create new disk').click()
        await form('Create disk')(page)
      },
    },
  },
  {
    path: '/projects/telemetry/instances/ingest-gateway/storage',
    title: 'ingest-gateway',
    opens: {
      'attach disk': async (page) => {
        await button(page, 'Attach existing disk').click()
        await form('Attach disk')(page)
        await page.getByRole('combobox', { name: 'Disk name' }).click()
      },
      actions: (page) => button(page, 'Instance actions').click(),
    },
  },
  {
    path: '/projects/telemetry/instances/query-failed/storage',
    title: 'query-failed',
    opens: { 'auto-restart': (page) => button(page, 'Auto-restart status').click() },
  },
  {
    path: '/projects/storefront/instances/shop-a/connect',
    title: 'shop-a',
    opens: { command: (page) => button(page, 'CLI Command').click() },
  },
  { path: '/projects/storefront/instances/shop-a/settings', title: 'shop-a' },
  { path: '/projects/storefront/disks', title: 'Disks' },
  { path: '/projects/storefront/disks-new', title: 'Disks', opens: { 'create disk': form('Create disk') } },
  { path: '/projects/storefront/disks/shop-a-boot', title: 'Disks', opens: { disk: form('Disk') } },
  { path: '/projects/batch-lab/disks', title: 'Disks' },
  {
    path: '/projects/telemetry/access',
    title: 'Project Access',
    opens: {
      'remove role': fromMenu('rosa-lima', 'Remove role'),
      'change role': fromMenu('rosa-lima', 'Change role'),
    },
  },
  {
    path: '/projects/telemetry/access-new',
    title: 'Project Access',
    opens: { add: form('Add user or group') },
  },
  { path: '/settings/profile', title: 'Profile' },
  {
    path: '/settings/ssh-keys',
    title: 'SSH Keys',
    opens: { 'delete key': fromMenu('workstation', 'Delete') },
  },
  { path: '/settings/ssh-keys-new', title: 'SSH Keys', opens: { 'add key': form('Add SSH key') } },
  {
    path: '/settings/ssh-keys/workstation/edit',
    title: 'SSH Keys',
    opens: { 'view key': form('View SSH key') },
  },
]

for (const { path, title, opens = {} } of places)
  test(`everyone can use ${path}`, async ({ page, enter }) => {
    await enter(path)
    await expect(page.locator('h1', { hasText: title })).toBeVisible()
    if (Object.keys(opens).length !== 1) await expectAccessible(page, 'page')
    for (const [what, open] of Object.entries(opens)) {
      await open(page)
      await expectAccessible(page, what)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
    }
  })

test('everyone can use the serial console', async ({ page, enter }) => {
  await enter('/projects/storefront/instances/shop-a/serial-console')
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await expectAccessible(page, 'connected')
  await go(page, '/projects/storefront/instances/shop-db/serial-console')
  await expect(page.getByText('disconnected', { exact: true })).toBeVisible()
  await expectAccessible(page, 'disconnected')
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
  await expect(page.getByText('You are not in any groups')).toBeVisible()
  await expectAccessible(page, 'refused')
  await go(page, '/no/such/page')
  await expect(heading(page, 'Page not found')).toBeVisible()
  await expectAccessible(page, 'not found')
})

test('everyone can use a narrow window', async ({ page, enter }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await enter('/projects/storefront/instances')
  await expect(row(page, 'shop-a')).toBeVisible()
  await expectAccessible(page, 'list')
  await button(page, 'Open navigation').click()
  await expectAccessible(page, 'drawer')
})
