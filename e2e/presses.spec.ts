/** How many presses everyday acts take: clicks, and keys other than typed text. */
import type { Page } from '@playwright/test'
import {
  button,
  confirmButton,
  dialog,
  expectToast,
  fromRow,
  menuItem,
  openRowMenu,
  options,
  row,
  textbox,
} from './support/actions.ts'
import { makeFloatingIp, makeInstance, makeSnapshot, openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

/** Counts presses from now on. Keys that move the focus or choose count, letters and their modifiers do not. */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const count = () => {
      document.documentElement.dataset['presses'] = String(
        Number(document.documentElement.dataset['presses']) + 1,
      )
    }
    document.documentElement.dataset['presses'] = '0'
    const isText = ({ key, ctrlKey, metaKey }: KeyboardEvent) => key.length === 1 && !ctrlKey && !metaKey
    const isModifier = ({ key }: KeyboardEvent) => ['Control', 'Meta', 'Shift', 'Alt'].includes(key)
    window.addEventListener('pointerdown', count, true)
    window.addEventListener('keydown', (event) => isText(event) || isModifier(event) || count(), true)
  })
  return () => page.evaluate(() => Number(document.documentElement.dataset['presses']))
}

test('a rule for three machines takes at most 8 presses', async ({ page, api, own }) => {
  const project = await own('presses')
  const machines = ['web-1', 'web-2', 'web-3']
  for (const name of machines) await makeInstance(api, { project, name })
  await openIn(page, project, 'vpcs/default/firewall-rules')
  await expect(row(page, 'allow-ssh')).toBeVisible()
  const presses = await countPresses(page)
  await page.getByRole('link', { name: 'New rule' }).click()
  const form = dialog(page, 'Create firewall rule')
  await expect(textbox(form, 'Name')).toBeFocused()
  await page.keyboard.type('allow-web')
  await form.getByRole('button', { name: /Target type/ }).click()
  await options(page).filter({ hasText: 'Instance' }).click()
  await form.getByRole('combobox', { name: 'Instance name' }).first().click()
  for (const name of machines) {
    await page.keyboard.type(name)
    await expect(options(page)).toHaveText([name])
    await page.keyboard.press('Enter')
    await expect(form.getByRole('table', { name: 'Targets' })).toContainText(name)
  }
  await button(form, 'Create firewall rule').click()
  await expectToast(page, 'Firewall rule allow-web created')
  expect(await presses()).toBeLessThanOrEqual(8)
})

test('a disk is rolled back with at most 4 presses', async ({ page, api, own }) => {
  const project = await own('presses')
  await makeInstance(api, { project, name: 'web' })
  await makeSnapshot(api, project, { name: 'before', disk: 'web-boot' })
  await openIn(page, project, 'snapshots')
  await expect(row(page, 'before')).toContainText('ready')
  const presses = await countPresses(page)
  await fromRow(page, 'before', 'Roll disk back')
  await button(dialog(page, 'Roll disk back'), 'Roll disk back').click()
  await expectToast(page, /Disk web-boot has the content of snapshot before again/)
  expect(await presses()).toBeLessThanOrEqual(4)
})

test('the person who has deleted a machine is found with at most 2 presses', async ({ page, api, own }) => {
  const project = await own('presses')
  await makeInstance(api, { project, name: 'web' })
  await api.instanceDelete({ params: { instance: 'web' }, query: { project } })
  await openIn(page, project, 'instances')
  await expect(page.getByText('No instances')).toBeVisible()
  const presses = await countPresses(page)
  await page.getByRole('link', { name: 'Activity', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: /Deleted instance/ })).toContainText('hanna-okafor')
  expect(await presses()).toBeLessThanOrEqual(2)
})

test('an address is moved to another machine with at most 3 presses', async ({ page, api, own }) => {
  const project = await own('presses')
  for (const name of ['web', 'spare']) await makeInstance(api, { project, name })
  await makeFloatingIp(api, project, 'front', 'web')
  await openIn(page, project, 'floating-ips')
  await expect(row(page, 'front')).toContainText('web')
  const presses = await countPresses(page)
  await fromRow(page, 'front', 'Move to …')
  const move = dialog(page, 'Move floating IP')
  const instance = move.getByRole('combobox', { name: 'Instance' })
  await expect(instance).toBeFocused()
  await page.keyboard.type('spare')
  await expect(options(page)).toHaveText([/spare/])
  // The first match is marked.
  await expect(instance).toHaveAttribute('aria-activedescendant', /./)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Floating IP front moved')
  expect(await presses()).toBeLessThanOrEqual(3)
})

test('a machine is deleted with its disks with at most 3 presses', async ({ page, api, own }) => {
  const project = await own('presses')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances')
  await expect(row(page, 'web')).toBeVisible()
  const presses = await countPresses(page)
  await openRowMenu(page, 'web')
  await menuItem(page, 'Delete').click()
  const question = dialog(page, 'Delete instance')
  const typed = question.getByRole('textbox')
  if (await typed.isVisible()) await typed.fill('web')
  await confirmButton(question).click()
  await expectToast(page, /web/)
  expect(await presses()).toBeLessThanOrEqual(3)
  await expect
    .poll(async () => (await api.diskList({ query: { project } })).items.map(({ name }) => name))
    .toEqual([])
})

test('a list is restricted to failed large machines of this week with one press and typing', async ({
  page,
  enter,
}) => {
  await enter('/projects/batch-lab/instances')
  const presses = await countPresses(page)
  await page.getByRole('combobox', { name: 'Search instances' }).click()
  await page.keyboard.type('state:failed memory>16GiB created<7d')
  await expect
    .poll(() => new URL(page.url()).searchParams.get('filter'))
    .toBe('state:failed,memory:>16GiB,created:<7d')
  expect(await presses()).toBeLessThanOrEqual(1)
})

test('ten machines are tagged and stopped every evening with at most 10 presses', async ({
  page,
  api,
  own,
}) => {
  const project = await own('presses')
  const names = Array.from({ length: 10 }, (_, i) => `web-${i}`)
  for (const name of names) await makeInstance(api, { project, name })
  await openIn(page, project, 'instances')
  await expect(row(page, 'web-9')).toContainText('stopped')
  const presses = await countPresses(page)
  await page.getByRole('checkbox', { name: 'Select all rows' }).click()
  await button(page, 'Change tags').click()
  const form = dialog(page, 'Change tags of instances')
  await expect(textbox(form, 'Set')).toBeFocused()
  await page.keyboard.type('hours=day')
  await button(form, 'Change tags of 10 instances').click()
  await expectToast(page, 'Changed tags of 10 instances')
  await page.getByRole('link', { name: 'Schedules', exact: true }).click()
  await page.getByRole('link', { name: 'New schedule' }).first().click()
  const schedule = dialog(page, 'Create schedule')
  await expect(textbox(schedule, 'Name')).toBeFocused()
  await page.keyboard.type('evening')
  await schedule.getByRole('combobox', { name: 'Tag' }).click()
  await page.keyboard.type('hours=day')
  await page.keyboard.press('Tab')
  await button(schedule, 'Create schedule').click()
  await expectToast(page, 'Schedule evening created')
  expect(await presses()).toBeLessThanOrEqual(10)
})
