import { setTimeout as wait } from 'node:timers/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startServer } from '../support/site.ts'
import { expect, test as base } from '../support/world.ts'
import { makeActivity } from './make-activity.ts'
import {
  activityPanel,
  inForcedColours,
  momentOfPictures,
  picture,
  pictured,
  runningAfter,
  shownOn,
  startOfWorld,
} from './screens.ts'

/** Charts and names that follow a page are there by then. */
const idleMs = 3_000

interface PerWorker {
  /** Ends when all machines run that the demonstration starts. */
  running: Promise<unknown>
  /** Ends when the server's clock has reached the moment of the pictures. */
  moment: Promise<unknown>
}

const test = base.extend<Record<never, never>, PerWorker>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from its pattern
    async ({}, use) => {
      const site = await startServer([`--import=${join(import.meta.dirname, 'fixed-world.ts')}`])
      await use(site)
      await site.stop()
    },
    { scope: 'worker' },
  ],
  running: [({ site }, use) => use(site && wait(runningAfter)), { scope: 'worker' }],
  moment: [({ site }, use) => use(site && wait(momentOfPictures - startOfWorld)), { scope: 'worker' }],
})

/** Brings about what the name of a picture says, before its page is opened. */
async function prepare(page: Page, name: string): Promise<void> {
  if (name === 'server-away') await page.route(/\/v1\/(events|ping)/, (route) => route.abort())
}

for (const [name, path, shows, as] of pictured)
  test(name, async ({ page, enter, running, moment, troubles }, { project }) => {
    // Journeys look for errors in the page; a picture of one is what is wanted here.
    troubles.allow(/./)
    await page.clock.setFixedTime(momentOfPictures)
    // Metrics are shown up to now.
    await (/\bmetrics\b/.test(path) ? moment : running)
    await prepare(page, name)
    await (path.startsWith('/login/') ? page.goto(path) : enter(path, as))
    await expect(shownOn(page, shows)).toBeVisible()
    await expect(page.getByLabel('Chart loading')).toHaveCount(0)
    await keep(page, `${name}-${project.name}`)
  })

// Their colours are those of the system, not of a theme.
for (const [name, path, shows, as] of inForcedColours)
  test(name, async ({ page, enter, running }, { project }) => {
    test.skip(project.name !== 'light', 'forced colours have no themes')
    await page.emulateMedia({ forcedColors: 'active' })
    await page.clock.setFixedTime(momentOfPictures)
    await running
    await enter(path, as)
    await expect(shownOn(page, shows)).toBeVisible()
    const boxes = page.locator('tbody').getByRole('checkbox')
    for (const i of [0, 2]) if ((await boxes.count()) > i) await boxes.nth(i).check()
    await keep(page, name)
  })

async function keep(page: Page, name: string) {
  // The stream of events keeps the network busy once it is open.
  await page.waitForLoadState('networkidle', { timeout: idleMs }).catch(() => undefined)
  await page.evaluate(() => document.fonts.ready)
  expect(await page.screenshot(picture)).toMatchSnapshot(`${name}.webp`)
}

// The last one: it leaves something in the world.
test(activityPanel, async ({ page, enter, api, running, troubles }, { project }) => {
  troubles.allow(/./)
  await page.clock.setFixedTime(momentOfPictures)
  await running
  await enter('/projects/telemetry/disks', 'piotr-nowak')
  await makeActivity(page, api)
  await page.getByRole('button', { name: 'Activity', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Activity' })
  await panel.getByRole('button', { name: /× Forbidden/ }).click()
  await expect(panel.getByText('Interrupted: choose the file again')).toBeVisible()
  await expect(panel.getByRole('list').first()).toContainText('debian')
  // When it was begun differs from one run to the next.
  const options = { ...picture, mask: [panel.locator('time')], maskColor: '#888' }
  expect(await page.screenshot(options)).toMatchSnapshot(`${activityPanel}-${project.name}.webp`)
  // A request that is still under way would fail with the page.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
