import {
  button,
  confirm,
  confirmButton,
  dialog,
  expectDisabled,
  expectToast,
  go,
  pick,
  row,
  textbox,
} from './support/actions.ts'
import { makeDisk, makeFloatingIp, makeInstance, openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

test('a user runs an action on many resources, cancels, and finds it in the activity after a reload', async ({
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
  // The page before has the same checkbox.
  await expect(row(page, 'web-3')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await button(page, 'Stop').click()
  const stopping = dialog(page, 'Stop 2 instances')
  await expect(stopping.getByRole('list', { name: 'Reasons' })).toHaveText('1 stopped: web-3')
  await button(stopping, 'Cancel').click()
  await button(page, 'Stop').click()
  await confirmButton(stopping).click()
  await expectToast(page, 'Stopping 2 instances')
  await expect(row(page, 'web-1')).toContainText('stopped')
  await expect(row(page, 'web-2')).toContainText('stopped')

  await openIn(page, project, 'disks')
  await go(page, `/projects/${project}/disks?size=25&find=data`)
  // Until then it is the list without the search, whose rows look the same.
  await expect(page.getByRole('combobox', { name: /^Search/ })).toHaveValue('data')
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
  // Another user takes one of them.
  await api.instanceDiskAttach({
    params: { instance: 'web-1' },
    query: { project },
    body: { disk: 'data-0' },
  })
  await confirmButton(question).click()
  await expect(question).toContainText('The matching resources have changed since the preview')
  await button(question, 'Cancel').click()
  await button(page, 'Delete').click()
  const again = dialog(page, 'Delete 29 disks')
  await expect(again).toContainText('1 of 30 will be left as it is')
  await expect(again.getByRole('list', { name: 'Reasons' })).toHaveText('1 attached: data-0')
  await again.getByRole('textbox').fill('delete 29')
  await confirmButton(again).click()
  await expectToast(page, '29 disks deleted, 1 left as they were')
  await expect(row(page, 'data-1')).toHaveCount(0)
  await expect(row(page, 'data-0')).toContainText('attached')
  await button(page, 'Show activity').first().click()
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

test('a person groups instances, snapshots their disks and frees addresses, all of a kind together', async ({
  page,
  api,
  own,
}) => {
  const project = await own('many')
  for (const [name, start] of [
    ['web-1', false],
    ['web-2', false],
    ['web-3', true],
  ] as const)
    await makeInstance(api, { project, name, start })
  const group = { name: 'apart', description: '', policy: 'allow', failureDomain: 'sled' } as const
  await api.antiAffinityGroupCreate({ query: { project }, body: group })
  await makeFloatingIp(api, project, 'front', 'web-1')
  await makeFloatingIp(api, project, 'spare')

  await openIn(page, project, 'instances')
  await expect(row(page, 'web-1')).toBeVisible()
  const all = page.getByRole('checkbox', { name: 'Select all rows' })
  await all.check()
  await button(page, 'Add to group').click()
  const adding = dialog(page, 'Add instances to a group')
  await expectDisabled(button(adding, 'Add'), 'Select a group')
  await pick(page, adding, 'Group', 'apart')
  await expect(adding).toContainText('1 of 3 will be left as it is')
  await expect(adding.getByRole('list', { name: 'Reasons' })).toHaveText('1 running: web-3')
  await button(adding, 'Add 2 instances').click()
  await expectToast(page, '2 instances added to the group, 1 left as they were')
  await expect(adding).toBeHidden()

  await all.check()
  await button(page, 'Snapshot').click()
  const snapshots = dialog(page, 'Snapshot instances')
  const names = textbox(snapshots, 'Names of the snapshots')
  await expect(names).toHaveValue('snapshot-{time}')
  await expect(snapshots).toContainText(/: snapshot-\d{8}-\d{6}/)
  await names.fill('{time}-{time}')
  await expectDisabled(button(snapshots, 'Snapshot'), /{time} can occur only once/)
  await names.fill('before')
  await button(snapshots, 'Snapshot 3 instances').click()
  await expectToast(page, '3 instances snapshotted')
  await openIn(page, project, 'snapshots')
  for (const name of ['web-1', 'web-2', 'web-3']) await expect(row(page, `before-${name}-boot`)).toBeVisible()

  await openIn(page, project, 'floating-ips')
  // The page before had the same checkbox.
  await expect(row(page, 'spare')).toBeVisible()
  await all.check()
  await button(page, 'Detach').click()
  await expect(dialog(page, 'Detach 1 floating IP').getByRole('list', { name: 'Reasons' })).toHaveText(
    '1 not attached: spare',
  )
  await confirm(page, 'Detach 1 floating IP')
  await expectToast(page, '1 floating IP detached')
  await all.check()
  await button(page, 'Delete').click()
  await confirm(page, 'Delete 2 floating IPs')
  await expectToast(page, '2 floating IPs deleted')
  await expect(page.getByText('No floating IPs', { exact: true })).toBeVisible()
})

test('failures are grouped by their reason, with the names on demand', async ({ page, api, own }) => {
  const project = await own('reasons')
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) {
    await makeDisk(api, project, name)
    const { id } = await api.diskView({ params: { disk: name }, query: { project } })
    ids.push(id)
  }
  // Both are there when the first one takes the names.
  const body = { kind: 'disk', action: 'snapshot', ids, namePattern: '{disk}' } as const
  await Promise.all([api.taskCreate({ body }), api.taskCreate({ body })])
  await button(page, 'Activity').click()
  const failed = dialog(page, 'Activity').getByRole('button', { name: /^\d × already exists: snapshot/ })
  const count = Number(/^\d/.exec((await failed.first().textContent()) ?? '')?.[0])
  await failed.first().click()
  const names = dialog(page, 'Activity')
    .getByRole('list')
    .filter({ hasText: /^[abc]/ })
  await expect(names.getByRole('listitem')).toHaveCount(count)
})
