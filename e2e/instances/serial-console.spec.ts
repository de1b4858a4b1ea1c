import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { button, confirm, expectPath, fromRow } from '../support/actions.ts'
import { expectState, makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

// The terminal gives screen readers its lines as text.
const terminal = (page: Page) => page.locator('.xterm')
const lines = (page: Page) => page.locator('.xterm .xterm-accessibility-tree, .xterm .xterm-rows').first()

test('a person follows the boot, is greeted, types, and sees it again after a reboot', async ({
  page,
  api,
  own,
}) => {
  const project = await own('serial')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances')
  await fromRow(page, 'web', 'Start')
  await fromRow(page, 'web', 'View serial console')
  await expectPath(page, `/projects/${project}/instances/web/serial-console`)
  await expect(page.getByText('Waiting for the instance to start before connecting.')).toBeVisible()
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await expect(lines(page)).toContainText('web login:')
  await terminal(page).click()
  await page.keyboard.type('hello rack')
  await expect(lines(page)).toContainText('hello rack')
  await page.keyboard.press('Enter')
  await page.keyboard.type('again')
  await expect(lines(page)).toContainText('again')

  await api.instanceStop({ params: { instance: 'web' }, query: { project } })
  await expect(page.getByText('disconnected', { exact: true })).toBeVisible()
  await expect(lines(page)).toContainText('hello rack')
  await expectState(api, { project, name: 'web' }, 'stopped')
  await api.instanceStart({ params: { instance: 'web' }, query: { project } })
  await expect(async () => {
    const reconnect = page.getByRole('button', { name: /[Rr]econnect/ })
    if (await reconnect.isVisible()) await reconnect.click()
    await expect(page.getByText('connected', { exact: true })).toBeVisible()
  }).toPass()
})

test('a long text in many scripts is pasted completely, and several lines only after confirmation', async ({
  page,
  context,
  enter,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await enter('/projects/storefront/instances/shop-b/serial-console')
  await expect(lines(page)).toContainText('shop-b login:')
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await terminal(page).click()
    await page.keyboard.press('Control+Shift+V')
  }
  await paste(Array.from({ length: 200 }, (_, i) => `${i}:naïve漢字🦀é`).join(' '))
  await expect(lines(page)).toContainText('199:naïve漢字🦀é')
  await page.setViewportSize({ width: 700, height: 600 })
  await expect(lines(page)).toContainText('199:naïve漢字🦀é')
  await paste('first line\nsecond line')
  await expect(lines(page)).not.toContainText('first line')
  await confirm(page, 'Paste 2 lines')
  await expect(lines(page)).toContainText('second line')
})

test('the log is downloaded, and a long paste is stopped', async ({ page, context, enter, kind }) => {
  test.skip(kind === 'preview', 'The console of the preview has no socket.')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await enter('/projects/storefront/instances/shop-b/serial-console')
  await expect(lines(page)).toContainText('shop-b login:')
  const downloading = page.waitForEvent('download')
  await button(page, 'Download log').click()
  const downloaded = await downloading
  expect(downloaded.suggestedFilename()).toBe('shop-b-serial-console.log')
  expect(readFileSync(await downloaded.path(), 'utf8')).toContain('shop-b login:')
  // Long enough to be still under way when the button is pressed: a minute and a half.
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${'x'.repeat(1_000_000)}the end`)
  await terminal(page).click()
  await page.keyboard.press('Control+Shift+V')
  await expect(page.getByRole('progressbar', { name: 'Paste' })).toBeVisible()
  await button(page, 'Stop pasting').click()
  await expect(page.getByRole('progressbar', { name: 'Paste' })).toBeHidden()
  await expect(lines(page)).not.toContainText('the end')
})

test('the terminal answers live queries of the guest, but not those in earlier output', async ({
  page,
  enter,
  kind,
}) => {
  test.skip(kind === 'preview', 'The console of the preview has no socket.')
  const typed: string[] = []
  let live = () => undefined as void
  await page.routeWebSocket(/serial-console\/stream/, (socket) => {
    socket.onMessage((data) => void typed.push(String(data)))
    socket.send(Buffer.from('earlier \u001B[6n\u001B[c'))
    socket.send(Buffer.alloc(0))
    live = () => socket.send(Buffer.from('now \u001B[6n'))
  })
  await enter('/projects/storefront/instances/shop-b/serial-console')
  await expect(lines(page)).toContainText('earlier')
  live()
  await expect.poll(() => typed.join('')).toBe('\u001B[1;13R')
})

test('a stopped instance has no console, and the way back leads to its page', async ({ page, enter }) => {
  await enter('/projects/storefront/instances/shop-db/serial-console')
  await expect(
    page.getByText('You can only connect to the serial console on a running instance.'),
  ).toBeVisible()
  await expect(page.getByText('disconnected', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Back to instance' }).click()
  await expectPath(page, '/projects/storefront/instances/shop-db/storage')
})

test('the console is reached from the page of an instance', async ({ page, enter }) => {
  await enter('/projects/storefront/instances/shop-a/storage')
  await button(page, 'Instance actions').click()
  await page.getByRole('menuitem', { name: 'View serial console' }).click()
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle('Serial Console / shop-a / Instances / storefront / Projects / Purlin')
})
