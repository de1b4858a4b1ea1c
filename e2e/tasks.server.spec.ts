import { button, dialog, expectToast, go, row, soon } from './support/actions.ts'
import { makeDisk, makeInstance, openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

test('a person does something to many at once, cancels, and finds it in the activity after a reload', async ({
  page,
  api,
  own,
  troubles,
}) => {
  troubles.allow(/^412 POST/)
  const project = await own('fleet')
  const names = Array.from({ length: 30 }, (_, i) => `data-${i}`)
  for (const name of names) await makeDisk(api, project, name)
  for (const name of ['web-1', 'web-2']) await makeInstance(api, { project, name, start: true })

  await makeInstance(api, { project, name: 'web-3', start: false })

  await openIn(page, project, 'instances')
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await button(page, 'Stop').click()
  const stopping = dialog(page, 'Stop 2 instances')
  await expect(stopping.getByRole('list', { name: 'Reasons' })).toHaveText('1 stopped')
  await button(stopping, 'Cancel').click()
  await button(page, 'Stop').click()
  await button(stopping, 'Confirm').click()
  await expectToast(page, 'Stopping 2 instances')
  await expect(row(page, 'web-1')).toContainText('stopped', soon)
  await expect(row(page, 'web-2')).toContainText('stopped')

  await openIn(page, project, 'disks')
  await go(page, `/projects/${project}/disks?size=25&find=data`)
  await page.getByRole('checkbox', { name: 'Select data-0', exact: true }).check()
  await button(page, 'next').click()
  await expect(page.getByText(/^1 selected, .* 1 of them on other pages$/)).toBeVisible()
  await button(page, 'prev').click()
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await button(page, 'Select all 30 that match').click()
  await expect(page.getByText('All 30 that match selected')).toBeVisible()
  await button(page, 'Delete').click()
  const question = dialog(page, 'Delete 30 disks')
  await expect(question).toContainText('and 25 more')
  await question.getByRole('textbox').fill('delete 30')
  // Somebody else uses one of them meanwhile.
  await api.instanceDiskAttach({
    params: { instance: 'web-1' },
    query: { project },
    body: { disk: 'data-0' },
  })
  await button(question, 'Confirm').click()
  await expect(question).toContainText('What matches has changed since the preview')
  await button(question, 'Cancel').click()
  await button(page, 'Delete').click()
  const again = dialog(page, 'Delete 29 disks')
  await expect(again).toContainText('1 disk will be left as they are')
  await again.getByRole('textbox').fill('delete 29')
  await button(again, 'Confirm').click()
  await expectToast(page, '29 disks deleted, 1 left as they were')
  await expect(row(page, 'data-1')).toHaveCount(0)
  await expect(row(page, 'data-0')).toContainText('attached')
  await button(page, 'Show activity').click()
  const activity = dialog(page, 'Activity')
  await expect(activity.getByRole('region', { name: 'Delete 30 disks' })).toContainText(
    'Done: 29 of 30 done, 1 left',
  )
  await page.reload()
  await button(page, 'Activity').click()
  await expect(activity.getByRole('region', { name: 'Stop 2 instances' }).first()).toContainText(
    'Done: 2 of 2 done',
  )
})
