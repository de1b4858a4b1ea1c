import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectToast,
  menuItem,
  properties,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

// Needs a separate site: the sled that does not answer is taken out of service, and instances move.
test.use({ siteOf: 'roll-out' })

test('an operator rolls out a release: takes out the sled that it waits for, pauses and resumes it', async ({
  page,
  enter,
  api,
}) => {
  await enter('/system/update', 'tariq-aziz')
  await expect(properties(page)).toContainText('100% (10 of 10)')
  await button(page, '1.0.0 actions').click()
  await expect(page.getByRole('menuitem', { name: 'Set as target release' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Escape')
  await button(page, '1.1.0 actions').click()
  await page.getByRole('menuitem', { name: 'Set as target release' }).click()
  const question = dialog(page, 'Set target release')
  await expect(question.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveCount(7)
  await expect(question).toContainText('This would restart 7 parts of the rack')
  await confirm(page, 'Set target release')
  await expectToast(page, 'Target release updated')
  await expect(page.getByText(/^sled \S+ to answer again/)).toBeVisible()
  const { items: sleds } = await api.sledList({ query: {} })
  const missing = sleds.find(({ missingSince }) => missingSince)
  await api.sledExpunge({ params: { sledId: missing?.id ?? '' } })
  await expect(page.getByText('Installing on')).toBeVisible()
  await button(page, 'Pause update').click()
  await expectToast(page, 'Update paused')
  await expect(page.getByText('an operator to resume it')).toBeVisible()
  await expect(properties(page)).toContainText('10% (1 of 10)')
  await button(page, 'Resume update').click()
  await expectToast(page, 'Update resumed')
  await expect(page.getByText('Moving instances from')).toBeVisible()
  await expect(properties(page)).toContainText('100% (10 of 10)', { timeout: 200_000 })
  await expect(button(page, 'Pause update')).toHaveCount(0)
  await button(page, '1.0.0 actions').click()
  await expectDisabled(menuItem(page, 'Set as target release'), 'Cannot set older release as target')
})
