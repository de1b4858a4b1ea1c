/**
 * All journeys against a real server. The preview, whose control plane runs in the page, repeats only those journeys
 * (named 'a person …') that lead over what differs there: sign-in, the transport of calls, events and the serial console,
 * and files in memory. Two servers behind a proxy repeat what several could get wrong. Files named `*.server.spec.ts`,
 * `*.preview.spec.ts` or `*.cluster.spec.ts` need what only one of them has, and `*.guest.spec.ts` a real machine. The smoke set runs in Firefox, over
 * WebDriver BiDi.
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
/** Journeys that several servers could get wrong, as one of them has just written, keeps in memory, or holds open something. */
const throughProxy = [
  '**/*.cluster.spec.ts',
  '**/access/{access,device-login.server,own-sessions.server,roles,second-factor.server,security.server}.spec.ts',
  '**/access/{session.server,sign-in,silos}.spec.ts',
  '**/{events,pagination,pagination.server,projects,tasks.server,first-steps.server}.spec.ts',
  '**/instances/{instance-create,instance-page,instances,metrics,screen,serial-console}.spec.ts',
  '**/storage/{disks,images,image-upload,image-upload.server,snapshots}.spec.ts',
]
const smoke = '**/smoke.spec.ts'
const cluster = { use: { kind: 'server', servers: 2 }, testMatch: throughProxy, workers: 1 } as const
/** On a real machine, which is emulated where there is no KVM, so that nothing else runs at the same time. */
const guest = {
  name: 'guest',
  use: { kind: 'server', actionTimeout: 300_000 },
  testMatch: '**/*.guest.spec.ts',
  workers: 1,
  timeout: 1_200_000,
  expect: { timeout: 300_000 },
} as const
const firefox = {
  browserName: 'firefox',
  channel: 'moz-firefox',
  launchOptions: { executablePath: join(import.meta.dirname, 'support/firefox.ts') },
} as const

export default defineConfig<Record<never, never>, Chosen>({
  testDir: '.',
  outputDir: '../node_modules/.cache/purlin/e2e',
  snapshotPathTemplate: '../node_modules/.cache/purlin/pictures/{arg}{ext}',
  // Each worker has a separate site. A third one makes a machine of two processors no faster.
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
    { name: 'server', use: { kind: 'server' }, testIgnore: ['**/*.{preview,cluster,guest}.spec.ts', smoke] },
    {
      name: 'preview',
      use: { kind: 'preview' },
      testMatch: inPreview,
      grep: / a person |preview\.spec\.ts /,
    },
    {
      name: 'cluster',
      ...cluster,
      grep: /(sign-in|events|serial-console|image-upload)\.spec\.ts a person |cluster\.spec\.ts /,
    },
    { name: 'cluster at length', ...cluster },
    guest,
    { name: 'firefox', use: { kind: 'server', ...firefox }, testMatch: smoke },
    { name: 'firefox-preview', use: { kind: 'preview', ...firefox }, testMatch: smoke, grep: / a person / },
  ],
})
