import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Locator, Page } from '@playwright/test'
import { MiB } from '@purlin/contract/rules/limits'
import { button, dialog, heading, textbox } from './support/actions.ts'
import { emptySite, expect, silo, test } from './support/world.ts'

test.use({ siteOf: emptySite })

const mostClicks = 12
// The bytes of a public key, as OpenSSH writes them.
const ed25519 = 'AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'

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

test('the form of an instance leads to what it needs, and keeps its values', async ({ page, enter, api }) => {
  const project = 'first'
  const hello = { params: { instance: 'hello' }, query: { project } }
  await enter('/projects', 'tariq-aziz')
  await api.instanceStop(hello)
  await expect.poll(async () => (await api.instanceView(hello)).runState).toBe('stopped')
  await api.instanceDelete(hello)
  await api.ipPoolSiloUnlink({ params: { pool: 'default', silo } })
  await api.vpcSubnetDelete({ params: { subnet: 'default' }, query: { project, vpc: 'default' } })
  await api.vpcDelete({ params: { vpc: 'default' }, query: { project } })
  await enter(`/projects/${project}/instances-new`, 'tariq-aziz')
  await textbox(page, 'Name').fill('hello')

  await button(page, 'Add SSH Key').click()
  const key = dialog(page, 'Add SSH key')
  await textbox(key, 'Name').fill('laptop')
  await textbox(key, 'Public key').fill(`ssh-ed25519 ${ed25519} me@laptop`)
  await button(key, 'Add SSH key').click()
  await expect(page.getByRole('checkbox', { name: 'laptop' })).toBeChecked()

  await button(page, 'Create VPC').click()
  const vpc = dialog(page, 'Create VPC')
  await textbox(vpc, 'Name').fill('inner')
  await textbox(vpc, 'DNS name').fill('inner')
  await button(vpc, 'Create VPC').click()
  await expect(page.getByRole('radio', { name: 'Custom' }).last()).toBeChecked()
  await api.vpcSubnetDelete({ params: { subnet: 'default' }, query: { project, vpc: 'inner' } })

  await button(page, 'Add network interface').click()
  const nic = dialog(page, 'Add network interface')
  await textbox(nic, 'Name').fill('outer')
  await button(nic, 'Create subnet').click()
  const subnet = dialog(page, 'Create subnet')
  await textbox(subnet, 'Name').fill('rows')
  await textbox(subnet, 'IPv4 block').fill('10.40.0.0/24')
  await button(subnet, 'Create subnet').click()
  await expect(subnet).toBeHidden()
  await expect(textbox(nic, 'Name')).toHaveValue('outer')
  await button(nic, 'Add network interface').click()
  await expect(nic).toBeHidden()

  await button(page, 'Create floating IP').click()
  const floating = dialog(page, 'Create floating IP')
  await textbox(floating, 'Name').fill('front')
  await button(floating, 'Create IP pool').click()
  const pool = dialog(page, 'Create the default IP pool')
  await textbox(pool, 'First address').fill('10.20.0.10')
  await textbox(pool, 'Last address').fill('10.20.0.90')
  await button(pool, 'Create the default IP pool').click()
  await expect(pool).toBeHidden()
  await button(floating, 'Create floating IP').click()
  await expect(page.getByRole('row', { name: /^front/ })).toBeVisible()

  await expect(textbox(page, 'Name')).toHaveValue('hello')
  await page.getByRole('combobox', { name: 'Image' }).click()
  await page.getByRole('option', { name: /^disk/ }).click()
  await button(page, 'Create instance').click()
  await expect(heading(page, 'hello')).toBeVisible()
  const { items } = await api.instanceExternalIpList(hello)
  expect(items.map(({ kind }) => kind)).toContain('floating')
})
