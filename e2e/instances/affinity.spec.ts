import type { Page } from '@playwright/test'
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectEnabled,
  expectPath,
  expectToast,
  find,
  fromRow,
  heading,
  jumpTo,
  menuItem,
  row,
  textbox,
} from '../support/actions.ts'
import { expectState, makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const members = (page: Page) => page.getByRole('table', { name: 'Members' })
const mustStop = 'An instance must be stopped to add it to a group'

async function makeGroup(api: Client<Operations>, project: string, name: string, instances: string[] = []) {
  const body = { name, description: '', policy: 'allow', failureDomain: 'sled' } as const
  await api.antiAffinityGroupCreate({ query: { project }, body })
  for (const instance of instances)
    await api.antiAffinityGroupMemberInstanceAdd({
      params: { antiAffinityGroup: name, instance },
      query: { project },
    })
}

async function fromPageMenu(page: Page, item: string) {
  await button(page, 'Anti-affinity group actions').click()
  await menuItem(page, item).click()
}

test('a person makes a group, renames it, deletes it and makes it again', async ({ page, own, troubles }) => {
  // A row may ask for its members just when its group is deleted.
  troubles.allow(/^404 GET \/v1\/anti-affinity-groups\/[^/]+\/members/)
  const project = await own('apart')
  await openIn(page, project, 'affinity')
  await expect(page.getByText('No anti-affinity groups', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle(`Affinity Groups / ${project} / Projects / Purlin`)
  const create = async () => {
    await jumpTo(page, 'New anti-affinity group')
    const form = dialog(page, 'Add anti-affinity group')
    await button(form, 'Add group').click()
    await expect(form.getByText('Name is required')).toBeVisible()
    await textbox(form, 'Name').fill('shops')
    await expect(form.getByRole('radio', { name: /^Allow/ })).toBeChecked()
    await form.getByRole('radio', { name: /^Fail/ }).check()
    await button(form, 'Add group').click()
    await expectToast(page, 'Anti-affinity group shops created')
    await expectPath(page, `/projects/${project}/affinity/shops`)
  }
  await create()
  await expect(page).toHaveTitle(`shops / Affinity Groups / ${project} / Projects / Purlin`)
  await expect(page.getByText('No group members', { exact: true })).toBeVisible()
  await expectDisabled(button(page, 'Add instance'), 'No instances available')

  await fromPageMenu(page, 'Edit')
  const form = dialog(page, 'Edit anti-affinity group')
  await textbox(form, 'Name').fill('stores')
  await button(form, 'Update group').click()
  await expectToast(page, 'Anti-affinity group stores updated')
  await expectPath(page, `/projects/${project}/affinity/stores`)
  await expect(heading(page, 'stores')).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Breadcrumbs' })
    .getByRole('link', { name: 'Affinity Groups' })
    .click()
  await expect(row(page, 'stores')).toContainText('fail')
  await expect(row(page, 'stores').getByRole('cell').nth(2)).toHaveText(/^—/)

  await fromRow(page, 'stores', 'Delete')
  await confirm(page, 'Delete anti-affinity group')
  await expectToast(page, 'Anti-affinity group stores deleted')
  await expect(page.getByText('No anti-affinity groups', { exact: true })).toBeVisible()
  await create()
  await fromPageMenu(page, 'Delete')
  await confirm(page, 'Delete anti-affinity group')
  await expectPath(page, `/projects/${project}/affinity`)
})

test('instances join a group once they have stopped, and leave it whenever', async ({ page, api, own }) => {
  const project = await own('joining')
  await Promise.all([
    makeInstance(api, { project, name: 'web-a', start: true }),
    makeInstance(api, { project, name: 'web-b' }),
    makeGroup(api, project, 'web'),
  ])
  await openIn(page, project, 'affinity/web')
  const add = dialog(page, 'Add instance to group')
  await button(page, 'Add instance').click()
  await expectDisabled(button(add, 'Add to group'), 'Select an instance')
  await find(page, add, 'Instance', 'web-a')
  await expect(add.getByText(mustStop).first()).toBeVisible()
  await expectDisabled(button(add, 'Add to group'), mustStop)
  await page.keyboard.press('Escape')
  await button(page, 'Add instance').click()
  await expect(add.getByRole('combobox', { name: 'Instance' })).toHaveValue('')
  await find(page, add, 'Instance', 'web-b')
  await button(add, 'Add to group').click()
  await expectToast(page, 'Instance web-b added to anti-affinity group web')
  await expect(row(members(page), 'web-b')).toContainText('stopped')

  await button(page, 'Add instance').click()
  await find(page, add, 'Instance', 'web-a')
  await add.getByRole('checkbox', { name: 'Stop web-a first' }).check()
  await button(add, 'Add to group').click()
  await expect(row(members(page), 'web-a')).toContainText('stopped')
  await expectState(api, { project, name: 'web-a' }, 'stopped')
  await expectDisabled(button(page, 'Add instance'), 'All instances are already in this group')

  await api.instanceStart({ params: { instance: 'web-a' }, query: { project } })
  await button(row(members(page), 'web-a'), 'Row actions').click()
  await menuItem(page, 'Remove from group').click()
  await confirm(page, 'Remove instance from anti-affinity group')
  await expectToast(page, 'Member web-a removed from anti-affinity group web')
  await expect(row(members(page), 'web-a')).toHaveCount(0)
  await page.getByRole('link', { name: 'web-b', exact: true }).click()
  await expectPath(page, `/projects/${project}/instances/web-b/settings`)
})

test('an instance joins and leaves a group from its own settings', async ({ page, api, own }) => {
  const project = await own('card')
  await makeInstance(api, { project, name: 'web', start: true })
  await openIn(page, project, 'instances/web/settings')
  await expectDisabled(button(page, 'Add to group'), 'Only stopped instances can be added to a group')
  await button(page, 'Stop').click()
  await confirm(page, 'Stop instance')
  await expectState(api, { project, name: 'web' }, 'stopped')
  await expectDisabled(button(page, 'Add to group'), 'No groups found')
  await makeGroup(api, project, 'apart')
  await button(page, 'Refresh data').click()
  await expectEnabled(button(page, 'Add to group'))
  await button(page, 'Add to group').click()
  const add = dialog(page, 'Add to anti-affinity group')
  await button(add, 'Add to group').click()
  await expect(add.getByText('Anti-affinity group is required')).toBeVisible()
  await find(page, add, 'Anti-affinity group', 'apart')
  await button(add, 'Add to group').click()
  await expectToast(page, 'Instance web added to anti-affinity group apart')
  await expectDisabled(button(page, 'Add to group'), 'Instance is already in all groups')
  await page.getByRole('link', { name: 'apart', exact: true }).click()
  await expect(row(members(page), 'web')).toBeVisible()
  await page.getByRole('link', { name: 'web', exact: true }).click()
  await fromRow(page, 'apart', 'Remove instance from group')
  await confirm(page, 'Remove instance from group')
  await expectToast(page, 'Instance web removed from anti-affinity group apart')
  await expect(page.getByText('This instance is not a member of any anti-affinity group')).toBeVisible()
})

test('a list of many groups counts the members of each, and a full group says so', async ({
  page,
  api,
  own,
}) => {
  const project = await own('full')
  const names = Array.from({ length: 33 }, (_, i) => `web-${String(i).padStart(2, '0')}`)
  for (const name of names)
    await api.instanceCreate({
      query: { project },
      body: {
        name,
        description: '',
        hostname: name,
        ncpus: 1,
        memory: 2 ** 30,
        start: false,
        networkInterfaces: { type: 'none' },
      },
    })
  await makeGroup(api, project, 'full', names.slice(1))
  for (const i of [1, 2, 3, 4, 5, 6, 7]) await makeGroup(api, project, `small-${i}`, names.slice(0, i))
  await openIn(page, project, 'affinity')
  const count = (name: string) => row(page, name).getByRole('cell').nth(2)
  await expect(count('full')).toHaveText('32')
  for (const i of [1, 2, 3, 4, 5, 6, 7]) await expect(count(`small-${i}`)).toHaveText(String(i))
  await page.getByRole('link', { name: 'full', exact: true }).click()
  await expect(members(page).getByRole('row')).toHaveCount(33)
  await expectDisabled(button(page, 'Add instance'), 'Maximum number of members reached')
})
