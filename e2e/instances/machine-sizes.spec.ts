import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectToast,
  fromRow,
  heading,
  menuItem,
  openRowMenu,
  pick,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { makeInstance } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

test('an operator offers a size, and people make and resize instances with it', async ({
  page,
  enter,
  api,
  own,
}) => {
  const name = unique('batch')
  await enter('/system/machine-sizes', 'tariq-aziz')
  await page.getByRole('link', { name: 'New machine size' }).first().click()
  const create = dialog(page, 'Create machine size')
  await textbox(create, 'Name').fill(name)
  await textbox(create, 'Description').fill('For the nightly batch')
  await textbox(create, 'vCPUs').fill('65')
  await button(create, 'Create machine size').click()
  await expect(create.getByText('Can be at most 64')).toBeVisible()
  await textbox(create, 'vCPUs').fill('3')
  await textbox(create, 'Memory (GiB)').fill('10')
  await button(create, 'Create machine size').click()
  await expectToast(page, `Machine size ${name} created`)
  await fromRow(page, name, 'Edit')
  const edit = dialog(page, 'Edit machine size')
  await textbox(edit, 'Memory (GiB)').fill('12')
  await edit.getByRole('button', { name: /Save|Update/ }).click()
  await expect(row(page, name)).toContainText('12 GiB')

  const project = await own('sized')
  await makeInstance(api, { project, name: 'worker' })
  await enter(`/projects/${project}/instances-new`)
  await expect(heading(page, 'Create instance')).toBeVisible()
  await page.getByRole('radio', { name: `3 CPU 12 gibibytes RAM, ${name}` }).check({ force: true })
  await expect(page.getByText('For the nightly batch')).toBeVisible()
  await page.goto(`/projects/${project}/instances`)
  await openRowMenu(page, 'worker')
  await menuItem(page, 'Resize').click()
  const resize = dialog(page, 'Resize instance')
  await pick(page, resize, 'Size', new RegExp(name))
  await expect(textbox(resize, 'vCPUs')).toHaveValue('3')
  await expect(textbox(resize, 'Memory (GiB)')).toHaveValue('12')
  await button(resize, 'Resize').click()
  await expect(row(page, 'worker')).toContainText('12 GiB')

  await enter('/system/machine-sizes', 'tariq-aziz')
  await fromRow(page, name, 'Delete')
  await confirm(page, 'Delete')
  await expectToast(page, new RegExp(`${name} deleted`))
  await enter('/system/machine-sizes', 'victor-hale')
  await expectDisabled(button(page, 'New machine size').first(), /requires the admin role/)
})

test('an operator gives a silo its own sizes, and takes them away', async ({ page, enter }) => {
  const path = '/system/silos/manufacturing/machine-sizes'
  await enter(path, 'tariq-aziz')
  await expect(page.getByText('No machine sizes', { exact: true })).toBeVisible()
  await button(page, 'New machine size').click()
  const create = dialog(page, 'New machine size')
  await textbox(create, 'Name').fill('press')
  await button(create, 'Create machine size').click()
  await fromRow(page, 'press', 'Edit')
  const edit = dialog(page, 'Edit machine size')
  await textbox(edit, 'vCPUs').fill('6')
  await button(edit, 'Save').click()
  await expect(row(page, 'press')).toContainText('6')
  await fromRow(page, 'press', 'Delete')
  await confirm(page, 'Delete machine size')
  await expect(page.getByText('No machine sizes', { exact: true })).toBeVisible()
})
