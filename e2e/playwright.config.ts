/**
 * All journeys against a real server. The preview, whose control plane runs in the page, repeats only those journeys
 * (named 'a person …') that lead over what differs there: sign-in, the transport of calls, events and the serial console,
 * and files in memory. Files named `*.server.spec.ts` or `*.preview.spec.ts` need what only one of them has. The
 * smoke set runs in Firefox, over WebDriver BiDi.
 */
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import type { Chosen } from './support/world.ts'

const inPreview = [
  '**/*.preview.spec.ts',
  '**/access/sign-in.spec.ts',
  '**/events.spec.ts',
  '**/projects.spec.ts',
  '**/walk/addresses.spec.ts',
  '**/instances/serial-console.spec.ts',
  '**/storage/image-upload.spec.ts',
  '**/updates/update.spec.ts',
]
const smoke = '**/smoke.spec.ts'
const firefox = {
  browserName: 'firefox',
  channel: 'moz-firefox',
  launchOptions: { executablePath: join(import.meta.dirname, 'support/firefox.ts') },
} as const

export default defineConfig<Record<never, never>, Chosen>({
  testDir: '.',
  outputDir: '../node_modules/.cache/purlin/e2e',
  snapshotPathTemplate: '../node_modules/.cache/purlin/pictures/{arg}{ext}',
  // Journeys wait more than they compute. Each worker has a separate site.
  workers: 2,
  retries: 0,
  // They end what hangs, and are no bound: on a busy machine a password alone can take half a minute.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['PURLIN_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'server', use: { kind: 'server' }, testIgnore: ['**/*.preview.spec.ts', smoke] },
    {
      name: 'preview',
      use: { kind: 'preview' },
      testMatch: inPreview,
      grep: / a person |preview\.spec\.ts /,
    },
    { name: 'firefox', use: { kind: 'server', ...firefox }, testMatch: smoke },
    { name: 'firefox-preview', use: { kind: 'preview', ...firefox }, testMatch: smoke, grep: / a person / },
  ],
})
