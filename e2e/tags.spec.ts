/** Tags in the forms and on the pages of resources. */
import { button, dialog, expectToast, fromRow, row, textbox } from './support/actions.ts'
import { makeDisk, openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

test('a person gives tags to a VPC, reads them on its page, changes and removes them', async ({
  page,
  own,
  api,
}) => {
  const project = await own('tags')
  await openIn(page, project, 'vpcs-new')
  await textbox(page, 'Name').fill('inner')
  await textbox(page, 'DNS name').fill('inner')
  await textbox(page, 'Tags').fill('env=prod\nenv=test')
  await button(page, 'Create VPC').click()
  await expect(page.getByText('Line 2: env is there twice')).toBeVisible()
  await textbox(page, 'Tags').fill('env=prod\nteam=web shop')
  await button(page, 'Create VPC').click()
  await expectToast(page, 'VPC inner created')
  const at = { params: { vpc: 'inner' }, query: { project } }
  expect((await api.vpcView(at)).tags).toEqual({ env: 'prod', team: 'web shop' })

  await openIn(page, project, 'vpcs/inner/edit')
  const form = dialog(page, 'Edit VPC')
  await expect(textbox(form, 'Tags')).toHaveValue('env=prod\nteam=web shop')
  await textbox(form, 'Tags').fill('env=test')
  await button(form, 'Update VPC').click()
  await expectToast(page, 'VPC inner updated')
  expect((await api.vpcView(at)).tags).toEqual({ env: 'test' })
  await openIn(page, project, 'vpcs/inner/edit')
  await textbox(form, 'Tags').fill('')
  await textbox(form, 'Description').fill('without tags')
  await button(form, 'Update VPC').click()
  // The toast of the first update may still be there.
  await expect(form).toBeHidden()
  expect(await api.vpcView(at)).toMatchObject({ description: 'without tags' })
  expect((await api.vpcView(at)).tags).toBeUndefined()
})

test('a disk gets tags in its form, keeps them when only its description changes, and shows them', async ({
  page,
  own,
  api,
}) => {
  const project = await own('tags')
  await openIn(page, project, 'disks-new')
  await textbox(page, 'Name').fill('data')
  await textbox(page, 'Tags').fill('env=prod')
  await button(page, 'Create disk').click()
  await expect(row(page, 'data')).toBeVisible()
  const at = { params: { disk: 'data' }, query: { project } }
  expect((await api.diskView(at)).tags).toEqual({ env: 'prod' })
  await fromRow(page, 'data', 'Edit')
  const form = dialog(page, 'Edit disk')
  await textbox(form, 'Description').fill('of the shop')
  await button(form, 'Update disk').click()
  await expectToast(page, /Disk data updated/)
  expect(await api.diskView(at)).toMatchObject({ description: 'of the shop', tags: { env: 'prod' } })
  await openIn(page, project, 'disks/data')
  await expect(dialog(page, 'Disk')).toContainText('env=prod')
})

test('tags of many disks are changed at once, shown in the list, and found by typing', async ({
  page,
  own,
  api,
}) => {
  const project = await own('tags')
  for (const name of ['data-1', 'data-2', 'other']) await makeDisk(api, project, name)
  await api.diskTagsChange({
    params: { disk: 'data-1' },
    query: { project },
    body: { set: { team: 'web shop', old: '' } },
  })
  await openIn(page, project, 'disks')
  await expect(row(page, 'data-1').getByRole('link', { name: 'team=web shop' })).toBeVisible()
  for (const name of ['data-1', 'data-2'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  await button(page, 'Change tags').click()
  const form = dialog(page, 'Change tags of disks')
  await expect(form).toContainText('In use: old, team')
  await textbox(form, 'Set').fill('env=prod')
  await textbox(form, 'Remove keys').fill('old')
  await button(form, 'Change tags of 2 disks').click()
  await expectToast(page, 'Changed tags of 2 disks')
  const tagsOf = async (disk: string) => (await api.diskView({ params: { disk }, query: { project } })).tags
  expect(await tagsOf('data-1')).toEqual({ env: 'prod', team: 'web shop' })
  expect(await tagsOf('data-2')).toEqual({ env: 'prod' })
  expect(await tagsOf('other')).toBeUndefined()

  await fromRow(page, 'other', 'Change tags')
  const one = dialog(page, 'Change tags of other')
  await textbox(one, 'Tags').fill('env=test')
  await button(one, 'Change tags').click()
  await expectToast(page, 'Disk other tagged')
  expect(await tagsOf('other')).toEqual({ env: 'test' })
  await button(page, 'Undo').click()
  await expect.poll(() => tagsOf('other')).toBeUndefined()

  await row(page, 'data-2').getByRole('link', { name: 'env=prod' }).click()
  await expect(row(page, 'other')).toBeHidden()
  await expect(row(page, 'data-1')).toBeVisible()
  const search = page.getByRole('combobox', { name: 'Search disks' })
  await expect(search).toHaveValue('tag:env=prod')
  await search.fill('')
  await expect(row(page, 'other')).toBeVisible()
  await search.pressSequentially('tag:te')
  const option = (name: string) => page.getByRole('option', { name, exact: true })
  await expect(option('tag:team=')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await option('tag:"team=web shop"').click()
  await expect(row(page, 'data-2')).toBeHidden()
  await expect(row(page, 'data-1')).toBeVisible()
})

test('subnets, gateways, groups and schedules are found by tags as well', async ({ page, own, api }) => {
  const project = await own('tags')
  const inVpc = { project, vpc: 'default' }
  await openIn(page, project, 'vpcs/default/subnets-new')
  await textbox(page, 'Name').fill('inner')
  await textbox(page, 'IPv4 block').fill('10.0.0.0/24')
  await textbox(page, 'Tags').fill('zone=inner')
  await button(page, 'Create subnet').click()
  await expect(row(page, 'inner').getByRole('link', { name: 'zone=inner' })).toBeVisible()
  for (const name of ['inner', 'default'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  await button(page, 'Change tags').click()
  await textbox(dialog(page, 'Change tags of subnets'), 'Set').fill('env=prod')
  await button(page, 'Change tags of 2 subnets').click()
  await expectToast(page, 'Changed tags of 2 subnets')
  await row(page, 'default').getByRole('link', { name: 'env=prod' }).click()
  await expect(page).toHaveURL(/subnets\?filter=tag%3Aenv%3Dprod/)
  await expect(row(page, 'inner')).toBeVisible()
  await openIn(page, project, 'vpcs/default/subnets/inner/edit')
  const subnet = dialog(page, 'Edit subnet')
  await textbox(subnet, 'Tags').fill('zone=outer')
  await button(subnet, 'Update subnet').click()
  await expectToast(page, /Subnet inner updated/)
  const inner = await api.vpcSubnetView({ params: { subnet: 'inner' }, query: inVpc })
  expect(inner.tags).toEqual({ zone: 'outer' })

  await openIn(page, project, 'vpcs/default/internet-gateways')
  await fromRow(page, 'default', 'Change tags')
  const gateway = dialog(page, 'Change tags of default')
  await textbox(gateway, 'Tags').fill('zone=edge')
  await button(gateway, 'Change tags').click()
  await expectToast(page, 'Internet gateway default tagged')
  await openIn(page, project, 'vpcs/default/internet-gateways/default')
  await expect(dialog(page, 'Internet gateway')).toContainText('zone=edge')

  const group = { name: 'apart', description: '', policy: 'allow', failureDomain: 'sled' } as const
  await api.antiAffinityGroupCreate({ query: { project }, body: group })
  await openIn(page, project, 'affinity/apart/edit')
  await textbox(dialog(page, 'Edit anti-affinity group'), 'Tags').fill('zone=inner')
  await button(page, 'Update group').click()
  await expect(dialog(page, 'Edit anti-affinity group')).toBeHidden()
  await button(page, 'Details').click()
  await expect(page.getByRole('link', { name: 'zone=inner' })).toBeVisible()

  const rule = { type: 'daily', time: '19:00' } as const
  const evening = { name: 'evening', description: '', action: 'stop', tag: 'env=test', rule } as const
  await api.scheduleCreate({
    query: { project },
    body: { ...evening, paused: true, tags: { zone: 'inner' } },
  })
  await openIn(page, project, 'schedules/evening/edit')
  const schedule = dialog(page, 'Edit schedule')
  await textbox(schedule, 'Description').fill('after work')
  await textbox(schedule, 'Tags').fill('team=web')
  await button(schedule, 'Update schedule').click()
  await expect(row(page, 'evening').getByRole('link', { name: 'team=web' })).toBeVisible()
  expect(await api.scheduleView({ params: { schedule: 'evening' }, query: { project } })).toMatchObject({
    description: 'after work',
    tag: 'env=test',
    tags: { team: 'web' },
  })
})
