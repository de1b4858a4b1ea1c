import type { Page } from '@playwright/test'
import {
  button,
  dialog,
  expectToast,
  fromRow,
  heading,
  holdBack,
  openRowMenu,
  menuItem,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { makeDisk } from '../support/prepare.ts'
import { expect, silo, test } from '../support/world.ts'

/** The list keeps its first answer, as if its next read were still on the way. */
async function keepFirstAnswer(page: Page, url: RegExp): Promise<void> {
  let first: Buffer | undefined
  await page.route(url, async (route) => {
    first ??= await (await route.fetch()).body()
    await route.fulfill({ body: first, contentType: 'application/json' })
  })
}

test('a dialog over a list begins with the values that another user has saved since', async ({
  page,
  enter,
  api,
}) => {
  const name = unique('robot')
  const query = { silo }
  const params = { serviceAccount: name }
  await enter('/access/service-accounts')
  await api.serviceAccountCreate({ query, body: { name, description: 'Before' } })
  await keepFirstAnswer(page, /\/service-accounts\?/)
  await page.reload()
  await expect(row(page, name)).toContainText('Before')
  await api.serviceAccountUpdate({ params, query, body: { description: 'Since' } })
  await fromRow(page, name, 'Edit')
  const edit = dialog(page, 'Edit service account')
  await expect(textbox(edit, 'Description')).toHaveValue('Since')
  await expect(row(page, name)).toContainText('Before')
  await textbox(edit, 'Name').fill(`${name}-2`)
  await button(edit, 'Save').click()
  await expectToast(page, 'Service account updated')
  const saved = await api.serviceAccountView({ params: { serviceAccount: `${name}-2` }, query })
  expect(saved.description).toBe('Since')
})

test('such a dialog shows that it loads, offers another attempt, and says what has been deleted', async ({
  page,
  enter,
  api,
  own,
  troubles,
}) => {
  troubles.allow(/^(500|404) GET \/v1\/disks\//)
  const project = await own('edits')
  await makeDisk(api, project, 'data')
  const { id } = await api.diskView({ params: { disk: 'data' }, query: { project } })
  const view = new RegExp(`/v1/disks/${id}`)
  await enter(`/projects/${project}/disks`)
  await expect(heading(page, 'Disks')).toBeVisible()
  await openRowMenu(page, 'data')
  // The code of the dialog comes before its values.
  const release = await holdBack(page, view)
  await menuItem(page, 'Edit').click()
  const edit = dialog(page, 'Edit disk')
  await expect(edit.getByRole('status', { name: 'Loading' })).toBeVisible()
  release()
  await expect(textbox(edit, 'Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button(row(page, 'data'), 'Row actions')).toBeFocused()

  await page.route(view, (route) => route.fulfill({ status: 500, json: { message: 'broken' } }), { times: 1 })
  await fromRow(page, 'data', 'Edit')
  await expect(edit.getByRole('alert')).toContainText('Broken')
  await button(edit, 'Try again').click()
  await expect(textbox(edit, 'Name')).toHaveValue('data')
  await page.keyboard.press('Escape')
  await expect(button(row(page, 'data'), 'Row actions')).toBeFocused()

  await keepFirstAnswer(page, /\/v1\/disks\?/)
  await page.reload()
  await expect(row(page, 'data')).toBeVisible()
  await api.diskDelete({ params: { disk: id }, query: {} })
  await fromRow(page, 'data', 'Edit')
  await expect(edit).toContainText('It has been deleted')
  await button(edit, 'Close').last().click()
  await expect(edit).toBeHidden()
})
