/** `npm run screenshots`: takes a picture of every screen in both themes and keeps those that differ visibly. */
import { defineConfig } from '@playwright/test'
import journeys from '../playwright.config.ts'
import { visible } from './screens.ts'

export default defineConfig({
  testDir: '.',
  testMatch: '*.shots.ts',
  outputDir: '../../node_modules/.cache/purlin/screens',
  snapshotPathTemplate: '../../docs/screens/{arg}{ext}',
  updateSnapshots: 'changed',
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 15_000, toMatchSnapshot: visible },
  reporter: 'line',
  use: { ...journeys.use, contextOptions: { reducedMotion: 'reduce' }, timezoneId: 'UTC', screenshot: 'off' },
  projects: [
    { name: 'light', use: { colorScheme: 'light' } },
    { name: 'dark', use: { colorScheme: 'dark' } },
  ],
})
