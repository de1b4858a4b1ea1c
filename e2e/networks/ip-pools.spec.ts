import type { Page } from '@playwright/test'
import {
  button,
  confirm,
  confirmButton,
  dialog,
  expectDisabled,
  expectEnabled,
  expectPath,
  expectToast,
  find,
  fromRow,
  go,
  heading,
  jumpTo,
  menuItem,
  openRowMenu,
  properties,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const list = '/system/networking/ip-pools'
const servicePool = '/system/networking/service-ip-pool'
const operator = 'tariq-aziz'
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()
/** The text next to a label of the capacity bar. */
const allocated = (page: Page) => page.getByRole('meter', { name: 'Allocated' })

async function makePool(page: Page, stem: string): Promise<string> {
  const name = unique(stem)
  await go(page, list)
  await link(page, 'New IP pool').click()
  const create = dialog(page, 'Create IP pool')
  await textbox(create, 'Name').fill(name)
  await textbox(create, 'Description').fill('Made in a journey')
  await button(create, 'Create IP pool').click()
  await expectToast(page, `IP pool ${name} created`)
  await link(page, name).click()
  await expect(heading(page, name)).toBeVisible()
  return name
}

test('the pool of the control plane itself gets a range and loses it', async ({
  page,
  enter,
  api,
  troubles,
}) => {
  troubles.allow(/^400 POST \/v1\/system\/ip-pools/)
  await enter(list, operator)
  await link(page, 'Service pool').click()
  await expectPath(page, servicePool)
  await expect(page).toHaveTitle('Service pool / IP Pools / Purlin')
  await expect(properties(page)).toContainText('control-plane-v4')
  const form = await addRange(page, '10.90.4.100', '10.90.4.250')
  await expect(form.getByText(/overlaps with an existing range/)).toBeVisible()
  await textbox(form, 'First').fill('198.51.100.40')
  await textbox(form, 'Last').fill('198.51.100.47')
  await button(form, 'Add IP range').click()
  await expectToast(page, 'IP range added')
  await expect(row(page, '198.51.100.40')).toContainText('198.51.100.47')
  await expect(allocated(page)).toHaveAttribute('aria-valuemax', '8')
  expect((await api.ipPoolServiceRangeList({ query: {} })).items).toHaveLength(1)
  await fromRow(page, '198.51.100.40', 'Remove')
  await expect(dialog(page, 'Remove range')).toContainText('can no longer use its addresses')
  await confirm(page, 'Remove range')
  await expect(page.getByText('No IP ranges', { exact: true })).toBeVisible()
  await expect(allocated(page)).toHaveCount(0)
})

async function addRange(page: Page, first: string, last: string) {
  await link(page, 'Add range').click()
  const form = dialog(page, 'Add IP range')
  await textbox(form, 'First').fill(first)
  await textbox(form, 'Last').fill(last)
  await button(form, 'Add IP range').click()
  return form
}

test('a person adds a range to a pool and makes it the default of a silo', async ({
  page,
  enter,
  troubles,
}) => {
  troubles.allow(/^400 POST \/v1\/system\/ip-pools/)
  await enter(list, operator)
  await expect(page).toHaveTitle('IP Pools / Purlin')
  await expect(row(page, 'office')).toContainText(/191/)
  const pool = await makePool(page, 'edge')
  await expectPath(page, `${list}/${pool}`)
  await expect(page).toHaveTitle(`${pool} / IP Pools / Purlin`)
  await expect(page.getByText('No IP ranges', { exact: true })).toBeVisible()
  await expect(allocated(page)).toHaveCount(0)

  const form = await addRange(page, 'nonsense', '')
  await expect(form.getByText('Not a valid IP address')).toHaveCount(2)
  await textbox(form, 'First').fill('fd00::1')
  await expect(form.getByText('IPv6 ranges are not yet supported')).toBeVisible()
  await textbox(form, 'First').fill('198.51.100.20')
  await textbox(form, 'Last').fill('198.51.100.10')
  await expect(form.getByText('The last address must not be lower than the first')).toBeVisible()
  await textbox(form, 'First').fill('10.90.4.100')
  await textbox(form, 'Last').fill('10.90.4.250')
  await expect(form.getByText('151 addresses')).toBeVisible()
  await button(form, 'Add IP range').click()
  await expect(form.getByText(/overlaps with an existing range/)).toBeVisible()
  await textbox(form, 'First').fill('198.51.100.10')
  await textbox(form, 'Last').fill('198.51.100.19')
  await button(form, 'Add IP range').click()
  await expectToast(page, 'IP range added')
  await expect(row(page, '198.51.100.10')).toContainText('198.51.100.19')
  await expect(allocated(page)).toHaveAttribute('aria-valuemax', '10')

  await tab(page, 'Linked silos').click()
  await expectPath(page, `${list}/${pool}?tab=silos`)
  await button(page, 'Link silo').click()
  const dialogue = dialog(page, 'Link silo')
  await find(page, dialogue, 'Silo', 'research')
  await dialogue.getByRole('checkbox', { name: 'Make default' }).check()
  await expect(dialogue.getByText('The pool replaces public-v4')).toBeVisible()
  await button(dialogue, 'Link').click()
  await expectToast(page, `IP pool ${pool} is linked to silo research`)
  await expect(row(page, 'research')).toContainText('default')

  await go(page, `${list}/public-v4?tab=silos`)
  await expect(row(page, 'research')).not.toContainText('default')
  await fromRow(page, 'research', 'Make default')
  await expect(dialog(page, 'Change default')).toContainText(pool)
  await confirm(page, 'Change default')
  await expectToast(page, 'IP pool public-v4 is the default pool of silo research')
  await expect(row(page, 'research')).toContainText('default')

  await go(page, `${list}/${pool}?tab=silos`)
  await fromRow(page, 'research', 'Unlink')
  await confirm(page, 'Unlink silo')
  await expect(page.getByText('No linked silos', { exact: true })).toBeVisible()
  await tab(page, 'IP ranges').click()
  await button(page, 'IP pool actions').click()
  await menuItem(page, 'Delete').click()
  const question = dialog(page, 'Delete IP pool')
  await expectDisabled(confirmButton(question), 'Type the name to confirm')
  await question.getByRole('link', { name: '1 IP range' }).click()
  await fromRow(page, '198.51.100.10', 'Remove')
  await confirm(page, 'Remove range')
  await expect(page.getByText('No IP ranges', { exact: true })).toBeVisible()
  await expect(allocated(page)).toHaveCount(0)
  await button(page, 'IP pool actions').click()
  await expectEnabled(menuItem(page, 'Delete'))
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete IP pool')
  await expectToast(page, `IP pool ${pool} deleted`)
  await expectPath(page, list)
})

test('a pool is renamed', async ({ page, enter }) => {
  await enter(list, operator)
  const pool = await makePool(page, 'lab')
  await button(page, 'IP pool actions').click()
  await menuItem(page, 'Edit').click()
  const form = dialog(page, 'Edit IP pool')
  await textbox(form, 'Name').fill(`${pool}-2`)
  await textbox(form, 'Description').fill('Renamed')
  await button(form, 'Update IP pool').click()
  await expectToast(page, `IP pool ${pool}-2 updated`)
  await expectPath(page, `${list}/${pool}-2`)
  await expect(properties(page)).toContainText('Renamed')
})

test('one goes to the system and back', async ({ page, enter, troubles }) => {
  // A role on the fleet is none on the projects of the silo.
  troubles.allow(/^403 GET \/v1\/projects/, /^ApiError/)
  await enter(list, operator)
  await expect(page.getByRole('navigation', { name: 'Sidebar navigation' }).last()).toContainText('IP Pools')
  await button(page, 'Switch between system and silo').click()
  await menuItem(page, 'Silo')
    .or(page.getByRole('menuitemradio', { name: 'Silo' }))
    .click()
  await expectPath(page, '/projects')
  await go(page, '/settings/profile')
  await jumpTo(page, 'Manage system')
  await expectPath(page, '/system/overview')
  await go(page, '/system')
  await expectPath(page, '/system/overview')
})

test('a viewer of the fleet sees pools, and why nothing can be changed', async ({ page, enter }) => {
  await enter(list, 'victor-hale')
  await expectDisabled(button(page, 'New IP pool'), /admin role on the fleet/)
  await openRowMenu(page, 'office')
  for (const item of ['Edit', 'Delete']) await expectDisabled(menuItem(page, item), /role/)
  await page.keyboard.press('Escape')
  await link(page, 'office').click()
  await expectDisabled(button(page, 'Add range'), /role/)
  await tab(page, 'Linked silos').click()
  await expectDisabled(button(page, 'Link silo'), /role/)
  await go(page, servicePool)
  await expectDisabled(button(page, 'Add range').first(), /role/)
})

test('for those without a role on the fleet the system does not exist', async ({ page, enter }) => {
  await enter('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect(button(page, 'Switch between system and silo')).toHaveCount(0)
  for (const path of ['/system', list, `${list}/office`, servicePool]) {
    await go(page, path)
    await expect(heading(page, 'Page not found')).toBeVisible()
  }
})
