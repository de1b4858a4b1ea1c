import type { Page } from '@playwright/test'
import { expectPath, row } from '../support/actions.ts'
import { makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const topology = 'vpcs/default/topology'
const picture = (page: Page) => page.getByRole('group', { name: 'Picture of VPC default' })

test('a person walks through the picture of a VPC by keyboard and opens an instance from it', async ({
  page,
  own,
  api,
}) => {
  const project = await own('picture')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, topology)
  const part = (name: string | RegExp) => picture(page).getByRole('link', { name })
  await expect(part(/^gateway default, 1 IP pool/)).toBeVisible()
  // One stop of Tab for the whole picture, after the sizes.
  await page.getByRole('button', { name: 'Larger' }).focus()
  await page.keyboard.press('Tab')
  await expect(part(/^gateway default/)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(part(/^router system, system, 3 routes/)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(part(/^subnet default, 172\.30\.0\.0\/22/)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(part(/^instance web, 172\.30\.0\.5, stopped, interface net0/)).toBeFocused()
  // All that is known of it is written above the picture.
  await expect(page.getByText('instance web, 172.30.0.5, stopped, interface net0')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(part(/^gateway default/)).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expectPath(page, `/projects/${project}/instances/web/networking`)
})

test('the size of the picture changes by key and fits again', async ({ page, own }) => {
  const project = await own('sizes')
  await openIn(page, project, topology)
  const width = async () => (await picture(page).boundingBox())?.width ?? 0
  await picture(page)
    .getByRole('link', { name: /^subnet default/ })
    .focus()
  const before = await width()
  await page.keyboard.press('+')
  await expect.poll(width).toBeGreaterThan(before * 1.2)
  await page.keyboard.press('0')
  await expect.poll(width).toBe(before)
  await page.keyboard.press('-')
  await expect.poll(width).toBeLessThan(before * 0.85)
})

test('the list says the same as the picture and keeps its address', async ({ page, own, api }) => {
  const project = await own('listed')
  const inVpc = { project, vpc: 'default' }
  await api.vpcRouterCreate({ query: inVpc, body: { name: 'edge', description: '' } })
  await api.vpcSubnetCreate({
    query: inVpc,
    body: { name: 'back', description: '', ipv4Block: '10.1.0.0/24', customRouter: 'edge' },
  })
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, topology)
  await page.getByRole('link', { name: 'Show as list' }).click()
  await expectPath(page, `/projects/${project}/${topology}?view=list`)
  const table = (name: string) => page.getByRole('table', { name })
  await expect(row(table('Internet gateways'), 'default')).toContainText('1 IP pool')
  await expect(row(table('Routers'), 'system')).toContainText('default')
  await expect(row(table('Subnets'), 'back')).toContainText('edge, system')
  await expect(row(table('Instances'), 'web')).toContainText('172.30.0.5')
  await row(table('Subnets'), 'back').getByRole('link', { name: 'back' }).click()
  await expectPath(page, `/projects/${project}/vpcs/default/subnets/back/edit`)
})
