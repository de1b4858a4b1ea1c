import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  go,
  heading,
  menuItem,
  openRowMenu,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const receivers = '/system/alerts/receivers'

test('an operator acknowledges and silences an alert', async ({ page, enter, api }) => {
  await enter('/system/alerts', 'tariq-aziz')
  await expectPath(page, '/system/alerts/active')
  const { items } = await api.alertList({ query: { state: 'active' } })
  const missing = items.find((one) => one.class === 'hardware.sled.missing')
  const alert = page.getByRole('row').filter({ hasText: missing?.text ?? '?' })
  const act = async (item: string) => {
    // The tip of another row may be over the button.
    await page.mouse.move(0, 0)
    await button(alert, 'Row actions').click()
    await menuItem(page, item).click()
  }
  await act('Acknowledge')
  await expectToast(page, 'Alert acknowledged')
  await expect(alert).toContainText('acknowledged')
  await act('Silence for an hour')
  await expectToast(page, 'Alert silenced')
  await expect(alert).toContainText('silent until')
  await act('End silence')
  await expect(alert).not.toContainText('silent until')
})

test('an operator makes a receiver, probes it, changes what it gets, and deletes it', async ({
  page,
  enter,
}) => {
  const name = unique('pager')
  await enter(receivers, 'tariq-aziz')
  await page.getByRole('link', { name: 'New receiver' }).click()
  const form = dialog(page, 'Create alert receiver')
  await textbox(form, 'Name').fill(name)
  await textbox(form, 'Endpoint').fill('http://127.0.0.1:9/hook')
  await textbox(form, 'Secret').fill('a-secret-of-the-pager')
  const matched = form.getByRole('list', { name: 'Matched classes' }).getByRole('listitem')
  await expect(matched.filter({ hasText: 'hardware.disk.failing' })).toBeVisible()
  await textbox(form, 'Subscriptions').fill('silo.*')
  await expect(matched).toHaveCount(0)
  await textbox(form, 'Subscriptions').fill('silo.**')
  await expect(matched.filter({ hasText: 'silo.quota.filling' })).toBeVisible()
  await button(form, 'Create alert receiver').click()
  await expectToast(page, `Alert receiver ${name} created`)

  await row(page, name).getByRole('link').click()
  await expect(heading(page, name)).toBeVisible()
  await button(page, 'Receiver actions').click()
  await menuItem(page, 'Send probe').click()
  await expectToast(page, /Probe not delivered/)
  await button(page, 'Add subscription').click()
  const adding = dialog(page, 'Add subscription')
  await textbox(adding, 'Class or glob').fill('hardware.nothing')
  await button(adding, 'Add').click()
  await expect(adding).toContainText('unknown class of alerts')
  await textbox(adding, 'Class or glob').fill('hardware.disk.*')
  await button(adding, 'Add').click()
  await expect(row(page, 'hardware.disk.*')).toContainText('hardware.disk.missing')
  await button(row(page, 'silo.**'), 'Row actions').click()
  await menuItem(page, 'Remove').click()
  await confirm(page, 'Remove subscription')
  await expect(row(page, 'silo.**')).toHaveCount(0)
  await button(page, 'Add secret').click()
  const another = dialog(page, 'Add secret')
  await textbox(another, 'Secret').fill('another-secret-of-the-pager')
  await button(another, 'Add').click()
  await expectToast(page, /^Secret .* added/)
  await expect(page.getByRole('table', { name: 'Secrets' }).getByRole('row')).toHaveCount(3)
  await button(page, 'Receiver actions').click()
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete alert receiver')
  await expectPath(page, receivers)
  await expect(row(page, name)).toHaveCount(0)
})

test('a viewer of the fleet sees alerts and receivers and changes nothing', async ({ page, enter }) => {
  await enter(receivers, 'victor-hale')
  await openRowMenu(page, 'on-call')
  await expectDisabled(menuItem(page, 'Send probe'), /requires the collaborator role on the fleet/)
  await expectDisabled(menuItem(page, 'Delete'), /requires the (admin|collaborator) role on the fleet/)
  await page.keyboard.press('Escape')
  await go(page, '/system/alerts/active')
  // Other rows come and go while other people work.
  const failing = page.getByRole('row').filter({ hasText: 'is failing' })
  await button(failing.first(), 'Row actions').click()
  await expectDisabled(menuItem(page, 'Acknowledge'), /requires the collaborator role on the fleet/)
})
