import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { button, confirm, dialog, expectToast } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../packages/tuf/fixtures/${name}`, import.meta.url))
const releases = (page: Page) => page.getByRole('list', { name: 'Releases' })

async function choose(page: Page, label: string, name: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await button(page, label).click()
  await (await choosing).setFiles(fixture(name))
}

test('a person uploads a release that is verified, after one that is refused', async ({
  page,
  enter,
  troubles,
}) => {
  // The refused repository and root document.
  troubles.allow(/400|409/)
  await enter('/system/update', 'tariq-aziz')
  await expect(page.getByRole('heading', { name: 'System Update' })).toBeVisible()
  await choose(page, 'Upload repository', 'refused/tampered-artifact.zip')
  const refused = page.getByRole('list', { name: 'Refused repositories' })
  await expect(refused).toContainText(/target .* has the hash [0-9a-f]{64} instead of [0-9a-f]{64}/)
  await button(refused, 'Dismiss').click()
  await expect(refused).toBeHidden()
  await expect(page.getByRole('list', { name: 'Uploads' })).toHaveCount(0)
  await choose(page, 'Upload repository', '1.2.0.zip')
  await expectToast(page, 'Release 1.2.0 uploaded')
  await expect(releases(page).getByRole('listitem').first()).toContainText('1.2.0')

  await button(page, 'Add trust root').click()
  const form = dialog(page, 'Add trust root')
  await form.locator('input[type=file]').setInputFiles(fixture('altered-root.json'))
  await button(form, 'Add').click()
  await expect(form).toContainText(/Unable to verify root role/)
  await button(form, 'Clear file').click()
  await form.locator('input[type=file]').setInputFiles(fixture('expired-root.json'))
  await expect(form.getByText('This root has expired')).toBeVisible()
  await button(form, 'Clear file').click()
  await form.locator('input[type=file]').setInputFiles(fixture('root.json'))
  await button(form, 'Add').click()
  await expect(form).toContainText(/trusted already: it was added on \d{4}-\d\d-\d\d as [0-9a-f-]{36}/)
  await button(form, 'Clear file').click()
  await form.locator('input[type=file]').setInputFiles(fixture('ecdsa-root.json'))
  await button(form, 'Add').click()
  await expectToast(page, 'Trust root added')
  await choose(page, 'Upload repository', 'ecdsa.zip')
  await expectToast(page, 'Release 4.0.0 uploaded')
  const roots = page.getByRole('table', { name: 'Trust roots' })
  await expect(roots.getByRole('row')).toHaveCount(3)
  await roots.getByRole('button', { name: 'Row actions' }).last().click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await confirm(page, 'Remove trust root')
  await expect(roots.getByRole('row')).toHaveCount(2)
})

test('the reason of a refused repository is there after a reload, until it is dismissed', async ({
  page,
  enter,
  troubles,
}) => {
  troubles.allow(/400|409/)
  await enter('/system/update', 'tariq-aziz')
  await choose(page, 'Upload repository', 'refused/tampered-artifact.zip')
  const refused = page.getByRole('list', { name: 'Refused repositories' })
  await expect(refused).toContainText(/instead of [0-9a-f]{64}/)
  await page.reload()
  await expect(refused).toContainText('tampered-artifact.zip was refused')
  await expect(refused).toContainText(/instead of [0-9a-f]{64}/)
  await button(refused, 'Dismiss').click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'System Update' })).toBeVisible()
  await expect(releases(page).getByRole('listitem').first()).toBeVisible()
  await expect(refused).toBeHidden()
})

test('a viewer of the fleet sees releases and cannot change anything', async ({ page, enter }) => {
  await enter('/system/update', 'victor-hale')
  const reason = 'This requires the admin role on the fleet'
  for (const label of ['Upload repository', 'Add trust root']) {
    await expect(button(page, label)).toHaveAttribute('aria-disabled', 'true')
    await button(page, label).focus()
    await expect(page.getByRole('tooltip')).toContainText(reason)
  }
  // Which releases are left depends on those that were uploaded; the newest one is first, and no target.
  const releases = page.getByRole('list', { name: 'Releases' })
  await releases
    .getByRole('button', { name: / actions$/ })
    .first()
    .click()
  await expect(page.getByRole('menuitem', { name: 'Set as target release' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
})
