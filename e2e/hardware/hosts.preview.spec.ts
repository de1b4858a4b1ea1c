import { button } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

test('the preview says why no host can join, and offers no way to add one', async ({ page, enter }) => {
  await enter('/system/inventory/hosts', 'tariq-aziz')
  await expect(page.getByText('The preview runs in it alone, so no other machine can join.')).toBeVisible()
  await expect(button(page, /^Add host$/i)).toHaveCount(0)
})
