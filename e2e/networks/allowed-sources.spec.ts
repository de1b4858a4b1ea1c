import { button, dialog, expectDisabled, expectToast, textbox } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const address = '/system/networking/allowed-sources'

test('an operator limits the allowed sources, keeps the list, and lifts it', async ({ page, enter }) => {
  await enter(address, 'tariq-aziz')
  const form = dialog(page, 'Change allowed sources')
  const review = dialog(page, 'Apply this list?')
  await button(page, 'Change').click()
  await form.getByRole('radio', { name: 'Only these networks' }).check()
  await textbox(form, 'Networks').fill('192.0.2.0/24\n127.0.0.0/8\n::1/x')
  await button(form, 'Review').click()
  await expect(form).toContainText('::1/x: Width must be an integer')
  await textbox(form, 'Networks').fill('192.0.2.0/24\n127.0.0.0/8\n::1')
  await button(form, 'Review').click()
  await expect(review.getByRole('region', { name: 'Allowed from now on' })).toContainText('::1/128')
  await expect(review.getByRole('region', { name: 'No longer allowed' })).toContainText('0.0.0.0/0')
  await textbox(review, 'Seconds to confirm').fill('600')
  await button(review, 'Apply').click()
  await expectToast(page, 'Allowed sources changed')
  await expect(page.getByRole('timer')).toContainText('The former list comes back in')
  await button(page, 'Keep this list').click()
  await expect(page.getByRole('timer')).toHaveCount(0)
  await expect(page.getByRole('table', { name: 'Allowed source addresses' })).toContainText('127.0.0.0/8')

  await button(page, 'Change').click()
  await form.getByRole('radio', { name: 'Any address' }).check()
  await button(form, 'Review').click()
  await button(review, 'Apply').click()
  await button(page, 'Keep this list').click()
  await expect(page.getByRole('timer')).toHaveCount(0)

  await button(page, 'Change').click()
  await form.getByRole('radio', { name: 'Only these networks' }).check()
  await textbox(form, 'Networks').fill('127.0.0.0/8\n::1')
  await button(form, 'Review').click()
  await button(review, 'Apply').click()
  await button(page, 'Take it back').click()
  await expectToast(page, 'The former list is back')
  await expect(page.getByText('Any address')).toBeVisible()
  await expect(page.getByRole('timer')).toHaveCount(0)

  await button(page, 'Answer pings').click()
  await expectToast(page, 'Pings are answered')
  await button(page, 'Stop answering').click()
  await expectToast(page, 'Pings are no longer answered')
})

test('a viewer of the fleet sees the allowed sources and changes nothing', async ({ page, enter }) => {
  await enter(address, 'victor-hale')
  await expectDisabled(button(page, 'Change'), /requires the admin role on the fleet/)
})
