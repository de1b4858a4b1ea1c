import {
  button,
  confirm,
  confirmButton,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  fromRow,
  heading,
  jumpTo,
  menuItem,
  properties,
  row,
  textbox,
} from '../support/actions.ts'
import { openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

test('a person makes a VPC, which begins with three firewall rules', async ({ page, own }) => {
  const project = await own('nets')
  await openIn(page, project, 'vpcs')
  await expect(row(page, 'default')).toContainText('Default VPC')
  await jumpTo(page, 'New VPC')
  const create = dialog(page, 'Create VPC')
  await textbox(create, 'Name').fill('backend')
  await textbox(create, 'IPv6 prefix').fill('fd00::/64')
  await button(create, 'Create VPC').click()
  await expect(create.getByText('DNS name is required')).toBeVisible()
  await expect(create.getByText('Width must be 48')).toBeVisible()
  await textbox(create, 'DNS name').fill('backend')
  await textbox(create, 'IPv6 prefix').fill('2001:db8::/48')
  await expect(create.getByText('Must be a unique local address')).toBeVisible()
  await textbox(create, 'IPv6 prefix').fill('fd12:3456:789a::/48')
  await button(create, 'Create VPC').click()
  await expectToast(page, 'VPC backend created')
  await expectPath(page, `/projects/${project}/vpcs/backend/firewall-rules`)
  await expect(page).toHaveTitle(`Firewall Rules / backend / VPCs / ${project} / Projects / Purlin`)
  await expect(properties(page)).toContainText('fd12:3456:789a::/48')
  for (const name of ['allow-icmp', 'allow-internal-inbound', 'allow-ssh'])
    await expect(row(page, name)).toContainText('65534')

  await openIn(page, project, 'vpcs')
  await expect(row(page, 'backend').getByRole('link', { name: '3 firewall rules' })).toBeVisible()
  await row(page, 'backend').getByRole('link', { name: '3 firewall rules' }).click()
  await expectPath(page, `/projects/${project}/vpcs/backend/firewall-rules`)
})

test('a VPC is renamed from the list and described from its page', async ({ page, own }) => {
  const project = await own('rename')
  await openIn(page, project, 'vpcs')
  await fromRow(page, 'default', 'Edit')
  const edit = dialog(page, 'Edit VPC')
  await textbox(edit, 'Name').fill('main')
  await button(edit, 'Update VPC').click()
  await expectToast(page, 'VPC main updated')
  await expectPath(page, `/projects/${project}/vpcs/main/firewall-rules`)
  await expect(heading(page, 'main')).toBeVisible()
  // The rules that name the VPC follow it.
  await expect(row(page, 'allow-ssh')).toContainText('main')
  await button(page, 'VPC actions').click()
  await menuItem(page, 'Edit').click()
  await textbox(edit, 'Description').fill('Where all instances are')
  await button(edit, 'Update VPC').click()
  await button(page, 'Details').click()
  await expect(properties(page)).toContainText('Where all instances are')
  await openIn(page, project, 'vpcs')
  await expect(row(page, 'main')).toContainText('Where all instances are')
})

test('a VPC is deleted with its subnets, which the question names', async ({ page, own }) => {
  const project = await own('gone')
  await openIn(page, project, 'vpcs')
  await fromRow(page, 'default', 'Delete')
  await expect(dialog(page, 'Delete VPC')).toContainText('cannot be deleted while it has 1 subnet')
  await expectDisabled(confirmButton(dialog(page, 'Delete VPC')), 'Type the name to confirm')
  await dialog(page, 'Delete VPC').getByRole('link', { name: 'default' }).click()
  await expectPath(page, `/projects/${project}/vpcs/default/subnets/default/edit`)
  await expect(dialog(page, 'Delete VPC')).toBeHidden()
  // Left earlier, the page would still be reading the subnet when it is deleted.
  await expect(dialog(page, 'Edit subnet')).toBeVisible()
  await openIn(page, project, 'vpcs')
  await fromRow(page, 'default', 'Delete')
  await confirm(page, 'Delete VPC')
  await expectToast(page, 'VPC default deleted')
  await expect(page.getByText('No VPCs', { exact: true })).toBeVisible()
})
