import type { Page } from '@playwright/test'
import { dialog, heading } from '../support/actions.ts'
import { expect, test, type Person } from '../support/world.ts'

// A scroll bar takes room from a table.
test.use({
  launchOptions: ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] }),
})

const telemetry = '/projects/telemetry'
const operator = 'tariq-aziz'
const lists: readonly (readonly [path: string, title: string, as?: Person])[] = [
  [`${telemetry}/disks`, 'Disks'],
  [`${telemetry}/snapshots`, 'Snapshots'],
  [`${telemetry}/instances`, 'Instances'],
  [`${telemetry}/images`, 'Project Images'],
  [`${telemetry}/floating-ips`, 'Floating IPs'],
  [`${telemetry}/schedules`, 'Schedules'],
  [`${telemetry}/activity`, 'Activity'],
  ['/system/audit-log', 'Audit Log', operator],
  ['/projects/batch-lab/instances', 'Instances'],
]
const widths = [1440, 1024, 390]

/** The dates in rows that take more than one line. */
const brokenDates = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main tbody time')].flatMap((time) => {
      const tops = [...time.children].map((part) => part.getBoundingClientRect().top)
      return Math.max(...tops) - Math.min(...tops) > 4 ? [time.textContent] : []
    }),
  )

/** How far the bar at the foot begins from the table above it, in px; undefined for a list that is on one page. */
const barOffset = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => {
    const [bar, table] = ['nav[aria-label="Pagination"]', 'main table'].map(
      (one) => document.querySelector(one)?.getBoundingClientRect().left,
    )
    return bar === undefined ? undefined : Math.abs(bar - (table ?? Infinity))
  })

for (const density of ['comfortable', 'compact'])
  test(`dates in lists take one line in ${density} rows, disks and snapshots show theirs, and bars begin with their tables`, async ({
    page,
    enter,
  }) => {
    // The blank page before the first one has no storage.
    await page.addInitScript((chosen) => {
      if (window.location.protocol !== 'about:') localStorage.setItem('purlin-density', chosen)
    }, density)
    for (const [path, title, as] of lists) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await enter(path, as)
      await expect(heading(page, title)).toBeVisible()
      await expect(page.locator('main tbody tr').first()).toBeVisible()
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await expect.poll(() => brokenDates(page), `${title} at ${width} px`).toEqual([])
        const offset = await barOffset(page)
        if (path.includes('batch-lab')) expect(offset, 'the bar of a long list').toBeDefined()
        // A table has a border.
        expect(offset ?? 0, `the bar of ${title} at ${width} px`).toBeLessThanOrEqual(1)
        if (width === 1440 && /Disks|Snapshots/.test(title))
          await expect(page.getByRole('columnheader', { name: 'created' })).toBeVisible()
      }
    }
  })

const lab = '/projects/storefront/vpcs/backend'
const hardware = '/system/inventory'
const networking = '/system/networking'
/** The pages of resources and overviews with a header. Those of most kinds are panels over their list. */
const pages: readonly (readonly [path: string, title: string, as?: Person])[] = [
  [`${telemetry}/instances/collector-01/storage`, 'collector-01'],
  [`${telemetry}/affinity/collectors-apart`, 'collectors-apart'],
  [`${lab}/firewall-rules`, 'backend'],
  [`${lab}/routers/inner`, 'inner'],
  ['/access/service-accounts/pipeline', 'pipeline'],
  ['/system/silos/engineering/quotas', 'engineering', operator],
  ['/system/utilization', 'Utilization', operator],
  [`${networking}/ip-pools/office`, 'office', operator],
  [`${networking}/service-ip-pool`, 'Service pool', operator],
  [`${networking}/address-lots/rack-infrastructure`, 'rack-infrastructure', operator],
  [`${networking}/port-settings/uplink-0`, 'uplink-0', operator],
  ['/system/alerts/receivers/on-call', 'on-call', operator],
  [`${hardware}/sleds`, 'Inventory', operator],
]
/** Without a notice above its properties. */
const healthyDisk = 'AS021EABBED1'
/** The pages that the first row with this text leads to: their addresses have ids. */
const fromRows: readonly (readonly [list: string, name: string, title: RegExp, as?: Person])[] = [
  ['/access/users', 'rosa-lima', /^rosa-lima$/],
  ['/access/groups', 'platform-team', /^platform-team$/],
  [`${hardware}/sleds`, 'PRS26140017', /^Sled /, operator],
  [`${hardware}/disks`, healthyDisk, /^Physical disk /, operator],
  [`${hardware}/racks`, 'PRR26110003', /^Rack /, operator],
  [`${hardware}/switches`, 'PRW26120040', /^Switch /, operator],
]

/** From the lower end of the title bar to that of the tabs, or of the properties of a page without tabs. */
const contentBegins = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const endOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().bottom
    const header = endOf('main [role=tablist]') ?? endOf('main [aria-label="Properties table"]')
    return (header ?? Infinity) - (endOf('header') ?? Infinity)
  })

async function expectToBeginEarly(page: Page, title: string | RegExp): Promise<void> {
  await expect(heading(page, title)).toBeVisible()
  await expect(page.locator('main [role=tab], main [aria-label="Properties table"]').first()).toBeVisible()
  await expect(page.locator('main [class*=animate-skeleton]')).toHaveCount(0)
  const begins = await contentBegins(page)
  const guides = await page.getByRole('button', { name: /^Learn about / }).count()
  expect(guides, `guides of ${String(title)}`).toBeLessThanOrEqual(1)
  expect(begins, String(title)).toBeGreaterThan(0)
  expect(begins, String(title)).toBeLessThanOrEqual(200)
}

test('the content of a page with a header begins at most 200 px below the title bar', async ({
  page,
  enter,
}) => {
  for (const [path, title, as] of pages) {
    await enter(path, as)
    await expectToBeginEarly(page, title)
  }
  for (const [list, name, title, as] of fromRows) {
    await enter(list, as)
    await page.locator('main tbody tr', { hasText: name }).getByRole('link').first().click()
    await expectToBeginEarly(page, title)
  }
  await page.locator('main tbody').getByRole('link', { name: 'qsfp0', exact: true }).click()
  await expectToBeginEarly(page, 'Port qsfp0')
})

test('the keys of rows also move in tables without pages', async ({ page, enter }) => {
  await enter('/projects/storefront/vpcs/backend/firewall-rules')
  const rules = page.getByRole('table', { name: 'Firewall rules' })
  await expect(rules.getByRole('row')).not.toHaveCount(1)
  const current = rules.locator('tbody tr:focus-within')
  await page.keyboard.press('j')
  await expect(current).toHaveCount(1)
  const first = await current.textContent()
  await page.keyboard.press('j')
  await expect(current).not.toHaveText(first ?? '')
  await page.keyboard.press('k')
  await expect(current).toHaveText(first ?? '')
  await page.keyboard.press('?')
  await expect(dialog(page, 'Keys')).toContainText('Go to the next row')
})
