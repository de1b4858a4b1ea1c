import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Locator, Page } from '@playwright/test'
import { MiB } from '@purlin/contract/rules/limits'
import { button, heading } from './support/actions.ts'
import { emptySite, expect, test } from './support/world.ts'

test.use({ siteOf: emptySite })

const mostClicks = 12

/** Serves one file. */
async function serveImage() {
  const file = gzipSync(Buffer.alloc(MiB, 'boot'))
  const server = createServer((_, response) => response.setHeader('content-length', file.length).end(file))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/disk.raw.gz`, stop: () => server.close() }
}

// The terminal gives screen readers its lines as text.
const lines = (page: Page) => page.locator('.xterm .xterm-accessibility-tree, .xterm .xterm-rows').first()
const step = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

test('an administrator comes from an empty installation to a serial console in 12 clicks', async ({
  page,
  enter,
}) => {
  let clicks = 0
  const click = (at: Locator) => {
    clicks++
    return at.click()
  }
  const fill = (name: string, text: string) => page.getByRole('textbox', { name, exact: true }).fill(text)
  const begin = (title: string) => click(page.getByRole('link', { name: title }))
  const expectDone = (title: string) =>
    expect(step(page, title).getByRole('img', { name: 'Done', exact: true })).toBeVisible()
  const image = await serveImage()
  await enter('/projects', 'tariq-aziz')

  await begin('Create the default IP pool')
  await fill('First address', '10.20.0.10')
  await fill('Last address', '10.20.0.90')
  await click(button(page, 'Create the default IP pool'))
  await expectDone('Create the default IP pool')

  await begin('Create a project')
  await fill('Name', 'first')
  await click(button(page, 'Create project'))
  await expectDone('Create a project')

  await begin('Import an image')
  await fill('Address', image.url)
  await fill('Name', 'disk')
  await fill('OS', 'none')
  await fill('Version', '1')
  await click(button(page, 'Import image'))
  await expectDone('Import an image')

  await begin('Create an instance')
  await fill('Name', 'hello')
  await click(page.getByRole('combobox', { name: 'Image' }))
  await click(page.getByRole('option', { name: /^disk/ }))
  await click(button(page, 'Create instance'))
  await expect(heading(page, 'hello')).toBeVisible()
  await click(page.getByRole('tab', { name: 'Connect' }))
  await click(page.getByTestId('scroll-container').getByRole('link', { name: 'Connect' }))
  await expect(lines(page)).toContainText('login:')
  expect(clicks).toBeLessThanOrEqual(mostClicks)
  image.stop()

  await enter('/projects', 'tariq-aziz')
  await expectDone('Create an instance')
  await button(page, 'Dismiss').click()
  await expect(page.getByText('First steps')).toHaveCount(0)
  await page.reload()
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect(page.getByText('First steps')).toHaveCount(0)
})
