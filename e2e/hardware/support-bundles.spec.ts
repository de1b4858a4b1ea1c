import { readFile } from 'node:fs/promises'
import { button, confirm, dialog, expectDisabled, menuItem, textbox, unique } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const list = '/system/support-bundles'

test('an operator collects a bundle, looks into it, downloads it, and deletes it', async ({
  page,
  enter,
}) => {
  const comment = unique('The console was slow')
  await enter(list, 'tariq-aziz')
  await button(page, 'Collect bundle').click()
  const form = dialog(page, 'Collect support bundle')
  await textbox(form, 'Comment').fill(comment)
  await button(form, 'Collect').click()
  const bundle = page.getByRole('row').filter({ hasText: comment })
  await expect(bundle).toContainText('active')
  const act = async (item: string) => {
    await button(bundle, 'Row actions').click()
    await menuItem(page, item).click()
  }
  await act('View files')
  const files = dialog(page, 'Files in the bundle')
  await expect(files.getByRole('listitem').first()).toBeVisible()
  await button(files, 'Close').last().click()
  const downloading = page.waitForEvent('download')
  await act('Download')
  const zip = await readFile(await (await downloading).path())
  expect(zip.subarray(0, 2).toString()).toBe('PK')
  await act('Edit comment')
  const edit = dialog(page, 'Edit comment')
  await textbox(edit, 'Comment').fill(`${comment}, for an hour`)
  await button(edit, 'Update').click()
  await expect(bundle).toContainText('for an hour')
  await act('Delete')
  await confirm(page, 'Delete support bundle')
  await expect(bundle).toHaveCount(0)
})

test('a viewer of the fleet may not collect', async ({ page, enter }) => {
  await enter(list, 'victor-hale')
  await expectDisabled(button(page, 'Collect bundle'), /requires the admin role on the fleet/)
})
