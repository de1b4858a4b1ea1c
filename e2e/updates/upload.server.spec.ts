import { fileURLToPath } from 'node:url'
import { button, confirm, expectToast } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const file = fileURLToPath(new URL('../../packages/tuf/fixtures/1.3.0.zip', import.meta.url))

test('an upload whose connection breaks is resumed, also after the page was closed', async ({
  page,
  enter,
  troubles,
}) => {
  troubles.allow(/Failed to fetch|ERR_FAILED|Could not reach|500|0 PUT/)
  await enter('/system/update', 'tariq-aziz')
  const uploads = page.getByRole('list', { name: 'Uploads' })
  const choose = async (label: string) => {
    const choosing = page.waitForEvent('filechooser')
    await button(page, label).click()
    await (await choosing).setFiles(file)
  }
  await page.route('**/part?*', (route) => route.abort())
  await choose('Upload repository')
  await expect(uploads).toContainText('Interrupted')
  await page.reload()
  await expect(uploads).toContainText('Not finished')
  await expect(uploads.getByRole('progressbar', { name: 'Upload of 1.3.0.zip' })).toBeVisible()
  await page.unroute('**/part?*')
  await choose('Resume')
  await expectToast(page, 'Release 1.3.0 uploaded')
  await expect(uploads).toHaveCount(0)

  await page.route('**/part?*', (route) => route.abort())
  await choose('Upload repository')
  await expect(uploads).toContainText('Interrupted')
  await button(uploads, 'Cancel').click()
  await confirm(page, 'Cancel upload')
  await expect(uploads).toHaveCount(0)
})
