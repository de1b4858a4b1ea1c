/** Schedules of a project. */
import { button, confirm, dialog, expectPath, expectToast, fromRow, row, textbox } from './support/actions.ts'
import { expectState, makeInstance, openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

test('a person stops all machines with a tag every evening, tries it, and changes it', async ({
  page,
  own,
  api,
}) => {
  const project = await own('evening')
  for (const name of ['one', 'two']) await makeInstance(api, { project, name, start: true })
  await api.instanceTagsChange({
    params: { instance: 'one' },
    query: { project },
    body: { set: { shift: 'day' } },
  })
  await openIn(page, project, 'schedules')
  await page.getByRole('link', { name: 'New schedule' }).first().click()
  const form = dialog(page, 'Create schedule')
  await textbox(form, 'Name').fill('evening')
  await textbox(form, 'Tag').fill('-shift')
  await button(form, 'Create schedule').click()
  await expect(form.getByText('A key begins with a letter or digit', { exact: false })).toBeVisible()
  await textbox(form, 'Tag').fill('shift=day')
  await button(form, 'Create schedule').click()
  await expectToast(page, 'Schedule evening created')
  await expectPath(page, `/projects/${project}/schedules`)
  await expect(row(page, 'evening')).toContainText('Stop instances with the tag shift=day')
  await expect(row(page, 'evening')).toContainText('Every day at 19:00')

  await fromRow(page, 'evening', 'Run now')
  await expectToast(page, 'Schedule evening runs: 1 instance')
  await expectState(api, { project, name: 'one' }, 'stopped')
  await expectState(api, { project, name: 'two' }, 'running')

  await fromRow(page, 'evening', 'Edit')
  const edit = dialog(page, 'Edit schedule')
  await edit.getByRole('radio', { name: /^Named/ }).check({ force: true })
  await button(edit, 'Update schedule').click()
  await expect(edit.getByText('Choose an instance, or name a tag')).toBeVisible()
  await edit.getByRole('combobox', { name: 'Add instance' }).fill('two')
  await page.getByRole('option', { name: 'two' }).click()
  await expect(edit.getByRole('table', { name: 'Instances' })).toContainText('two')
  await edit.getByRole('checkbox', { name: 'Pause the schedule' }).check({ force: true })
  await button(edit, 'Update schedule').click()
  await expectToast(page, 'Schedule evening updated')
  await expect(row(page, 'evening')).toContainText('Stop 1 instance')
  await expect(row(page, 'evening')).toContainText('paused')
  await fromRow(page, 'evening', 'Delete')
  await confirm(page, 'Delete schedule')
  await expect(row(page, 'evening')).toBeHidden()
})
