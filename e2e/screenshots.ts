/**
 * `node e2e/screenshots.ts [--out docs/screens]`: pictures of the main screens in both themes, taken from
 * a server of its own with the demo world.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { startServer } from './support/site.ts'

interface Shot {
  name: string
  path: string
  /** Text that stands on the finished screen. */
  shows: string | RegExp
}
const instance = '/projects/storefront/instances/shop-a'
const shots: Shot[] = [
  { name: 'projects', path: '/projects', shows: 'Short-lived workers, many of them' },
  { name: 'instances', path: '/projects/telemetry/instances', shows: 'ingest-gateway' },
  { name: 'instance', path: `${instance}/storage`, shows: 'shop-a-boot' },
  { name: 'instance-create', path: '/projects/telemetry/instances-new', shows: 'Hardware' },
  { name: 'serial-console', path: `${instance}/serial-console`, shows: /^connected$/ },
  { name: 'disks', path: '/projects/telemetry/disks', shows: 'archive-2025' },
  { name: 'project-access', path: '/projects/telemetry/access', shows: 'rosa-lima' },
]

const { values } = parseArgs({ options: { out: { type: 'string', default: 'docs/screens' } } })
await mkdir(values.out, { recursive: true })
const site = await startServer()
const browser = await chromium.launch({
  executablePath: process.env['PURLIN_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
})
try {
  // Its machines need a moment to come up.
  for (const theme of ['light', 'dark'] as const) await picture(theme)
} finally {
  await browser.close()
  await site.stop()
}

async function picture(colorScheme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({
    baseURL: site.origin,
    viewport: { width: 1440, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  const page = await context.newPage()
  await page.goto('/login/engineering/local')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await save(page, `sign-in-${colorScheme}`)
  await page.getByRole('textbox', { name: 'Username' }).fill('hanna-okafor')
  await page.getByRole('textbox', { name: 'Password' }).fill('drafting-table')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/projects')
  for (const { name, path, shows } of shots) {
    await page.goto(path)
    await page.getByText(shows).first().waitFor()
    if (name === 'serial-console') await page.getByText('login:').first().waitFor()
    await save(page, `${name}-${colorScheme}`)
  }
  await context.close()
}

async function save(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(values.out, `${name}.png`) })
  console.log(`${name}.png`)
}
