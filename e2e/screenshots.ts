/**
 * `node e2e/screenshots.ts [--out docs/screens]`: pictures of every screen in both themes, taken from
 * a server of its own with the demo world.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { startServer } from './support/site.ts'

type Shot = readonly [name: string, path: string, shows: string | RegExp]
const telemetry = '/projects/telemetry'
const instance = '/projects/storefront/instances/shop-a'
/** Every screen, as name, address and a text that stands on it when it is finished. */
const shots: readonly Shot[] = [
  ['projects', '/projects', 'Short-lived workers, many of them'],
  ['project-create', '/projects-new', 'Create project'],
  ['project-edit', `${telemetry}/edit`, 'Edit project'],
  ['silo-images', '/images', 'debian-13'],
  ['silo-image', '/images/debian-13', 'Block size'],
  ['instances', `${telemetry}/instances`, 'ingest-gateway'],
  ['instance-create', `${telemetry}/instances-new`, 'Hardware'],
  ['instance-storage', `${instance}/storage`, 'Boot disk'],
  ['instance-networking', `${instance}/networking`, 'net0'],
  ['instance-metrics-cpu', `${instance}/metrics/cpu`, 'CPU Utilization: Running'],
  ['instance-metrics-disk', `${instance}/metrics/disk`, 'Read Latency'],
  ['instance-metrics-network', `${instance}/metrics/network`, 'Packets Dropped'],
  ['instance-connect', `${instance}/connect`, 'ssh [username]'],
  ['instance-settings', `${instance}/settings`, 'Auto-restart'],
  ['serial-console', `${instance}/serial-console`, /^connected$/],
  ['disks', `${telemetry}/disks`, 'archive-2025'],
  ['disk-create', `${telemetry}/disks-new`, 'Create disk'],
  ['disk', `${telemetry}/disks/archive-2025`, 'Block size'],
  ['snapshots', `${telemetry}/snapshots`, 'ingest-before-upgrade'],
  ['snapshot-create', `${telemetry}/snapshots-new`, 'Create snapshot'],
  ['snapshot', `${telemetry}/snapshots/ingest-before-upgrade`, 'Size'],
  [
    'snapshot-image-create',
    `${telemetry}/snapshots/ingest-before-upgrade/images-new`,
    'Create image from snapshot',
  ],
  ['project-images', `${telemetry}/images`, 'collector-golden'],
  ['project-image', `${telemetry}/images/collector-golden`, 'Block size'],
  ['image-upload', `${telemetry}/images-new`, 'Drop a file or click to browse'],
  ['floating-ips', `${telemetry}/floating-ips`, 'ingest-gateway'],
  ['floating-ip-create', `${telemetry}/floating-ips-new`, 'Create floating IP'],
  ['floating-ip-edit', `${telemetry}/floating-ips/ingest/edit`, 'Edit floating IP'],
  ['affinity-groups', `${telemetry}/affinity`, 'collectors-apart'],
  ['affinity-group-create', `${telemetry}/affinity-new`, 'Add group'],
  ['affinity-group', `${telemetry}/affinity/collectors-apart`, 'collector-02'],
  ['affinity-group-edit', `${telemetry}/affinity/collectors-apart/edit`, 'Edit anti-affinity group'],
  ['project-access', `${telemetry}/access`, 'rosa-lima'],
  ['project-access-create', `${telemetry}/access-new`, 'Add user or group'],
  ['profile', '/settings/profile', 'hanna-okafor'],
  ['ssh-keys', '/settings/ssh-keys', 'SSH Keys'],
  ['ssh-key-create', '/settings/ssh-keys-new', 'Public key'],
  ['not-found', '/no-such-page', 'Page not found'],
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
  for (const [name, path, shows] of shots) {
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
  await page.getByLabel('Chart loading').first().waitFor({ state: 'detached' })
  await page.screenshot({ path: join(values.out, `${name}.png`) })
  console.log(`${name}.png`)
}
