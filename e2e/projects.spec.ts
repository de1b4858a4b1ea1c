import type { Page } from '@playwright/test'
import {
  button,
  confirm,
  confirmButton,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  fromRow,
  go,
  heading,
  menuItem,
  openRowMenu,
  row,
  textbox,
  unique,
  undo,
} from './support/actions.ts'
import { openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

const form = (page: Page) => dialog(page, 'Create project')

async function openForm(page: Page) {
  await page.getByRole('link', { name: 'New project', exact: true }).click()
  await expect(form(page)).toBeVisible()
  return form(page)
}

test('a person creates, edits and deletes a project', async ({ page, enter }) => {
  const name = unique('mapping')
  const renamed = unique('surveying')
  await enter('/projects')
  const create = await openForm(page)
  await expect(textbox(create, 'Name')).toBeFocused()
  await textbox(create, 'Name').fill(name)
  await textbox(create, 'Description').fill('Maps of all sites')
  await button(create, 'Create project').click()
  await expectToast(page, `Project ${name} created`)
  await expectPath(page, `/projects/${name}/instances`)
  await expect(page.getByText('No instances', { exact: true })).toBeVisible()

  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Projects' }).click()
  await expect(row(page, name)).toContainText('Maps of all sites')
  await expect(row(page, 'telemetry')).toContainText(/\d+: 1 failed, \d+ running/)
  await fromRow(page, name, 'Edit')
  const edit = dialog(page, 'Edit project')
  await expect(textbox(edit, 'Description')).toHaveValue('Maps of all sites')
  await textbox(edit, 'Name').fill(renamed)
  await textbox(edit, 'Description').fill('')
  await button(edit, 'Update project').click()
  await expectToast(page, `Project ${renamed} updated`)
  await expectPath(page, '/projects')
  await expect(row(page, renamed)).not.toContainText('Maps of all sites')
  await expect(row(page, name)).toHaveCount(0)
  await undo(page, 'keys')
  await expectToast(page, `Project ${name} is as it was before`)
  await expect(row(page, name)).toContainText('Maps of all sites')

  await fromRow(page, name, 'Edit')
  await textbox(edit, 'Name').fill(renamed)
  await button(edit, 'Update project').click()
  await expect(row(page, name)).toHaveCount(0)
  await fromRow(page, renamed, 'Delete')
  const question = dialog(page, 'Delete project')
  await expect(question).toContainText('This cannot be undone.')
  await expect(confirmButton(question)).toHaveAttribute('aria-disabled', 'true')
  await confirm(page, 'Delete project')
  await expectToast(page, `Project ${renamed} deleted`)
  await expect(row(page, renamed)).toHaveCount(0)
})

test('a project that contains a disk cannot be deleted, and the question leads to its disks', async ({
  page,
  enter,
  api,
}) => {
  const name = unique('holding')
  await enter('/projects')
  await api.projectCreate({ body: { name, description: '' } })
  const diskSource = { type: 'blank', blockSize: 4096 } as const
  const disk = { name: 'ledger', description: '', size: 1024 ** 3, diskSource }
  await api.diskCreate({ query: { project: name }, body: disk })
  await go(page, '/projects?sort=name_ascending')
  await fromRow(page, name, 'Delete')
  const question = dialog(page, 'Delete project')
  await expect(question).toContainText('cannot be deleted while it contains')
  await expectDisabled(confirmButton(question), 'Type the name to confirm')
  await question.getByRole('link', { name: '1 disk' }).click()
  await expectPath(page, `/projects/${name}/disks`)
  await expect(question).toBeHidden()
  await expect(row(page, 'ledger')).toBeVisible()
  await go(page, '/projects?sort=name_ascending')
  await fromRow(page, name, 'Delete')
  await expect(confirmButton(question)).toHaveText('Delete all of it')
  await confirm(page, 'Delete project')
  await expect(row(page, name)).toHaveCount(0)
})

test('a project with an anti-affinity group stays whole, with its network, until the group is deleted', async ({
  page,
  enter,
  api,
}) => {
  const name = unique('keeping')
  const query = { project: name }
  await enter('/projects')
  await api.projectCreate({ body: { name, description: '' } })
  const group = { name: 'apart', description: '', policy: 'fail', failureDomain: 'sled' } as const
  await api.antiAffinityGroupCreate({ query, body: group })
  await go(page, '/projects?sort=name_ascending')
  await fromRow(page, name, 'Delete')
  const question = dialog(page, 'Delete project')
  await expect(question.getByRole('listitem')).toHaveText('1 anti-affinity group')
  await expectDisabled(confirmButton(question), 'Type the name to confirm')
  const { items } = await api.vpcSubnetList({ query: { ...query, vpc: 'default' } })
  expect(items.map((subnet) => subnet.name)).toEqual(['default'])
  await button(question, 'Cancel').click()

  await api.antiAffinityGroupDelete({ params: { antiAffinityGroup: 'apart' }, query })
  await fromRow(page, name, 'Delete')
  await confirm(page, 'Delete project')
  await expectToast(page, `Project ${name} deleted`)
  await expect(row(page, name)).toHaveCount(0)
})

test('each rule of a name has its own message and nothing is sent', async ({ page, enter }) => {
  await enter('/projects')
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
  const create = await openForm(page)
  await button(create, 'Create project').click()
  await expect(create.getByText('Name is required')).toBeVisible()
  await expect(textbox(create, 'Name')).toBeFocused()
  const rules = {
    'Can only contain lower-case letters, numbers, and dashes': ['two words', 'Capital', 'under_score', 'é'],
    'Must start with a lower-case letter': ['1st', '-dash'],
    'Must end with a letter or number': ['dash-'],
    'Must be 63 characters or fewer': ['x'.repeat(64)],
    'Cannot be a UUID': ['d0bd8bd0-6a33-4dd0-9bd2-0a4b1f1e6a8b'],
  }
  for (const [message, names] of Object.entries(rules))
    for (const name of names) {
      await textbox(create, 'Name').fill(name)
      await expect(create.getByText(message)).toBeVisible()
    }
  await textbox(create, 'Name').fill('x'.repeat(63))
  await textbox(create, 'Description').fill('d'.repeat(513))
  await expect(create.getByText('A description must be no longer than 512 characters')).toBeVisible()
  await button(create, 'Create project').click()
  await expect(create).toBeVisible()
  expect(posts).toEqual([])
})

test('a taken name is reported at the foot and at the field, and the form keeps its values', async ({
  page,
  enter,
  troubles,
}) => {
  troubles.allow(/^400 POST \/v1\/projects/)
  await enter('/projects')
  const create = await openForm(page)
  await textbox(create, 'Name').fill('telemetry')
  await textbox(create, 'Description').fill('A second one')
  await button(create, 'Create project').click()
  await expect(create.getByRole('alert')).toContainText('Project name already exists')
  await expect(create.getByRole('alert')).toContainText('Request ID')
  await expect(create.getByText('Project name already exists')).toHaveCount(1)
  await expect(create.getByText('Name already exists', { exact: true })).toBeVisible()
  await expect(textbox(create, 'Name')).toBeFocused()
  await textbox(create, 'Description').click()
  await button(create, 'Go to Name').click()
  await expect(textbox(create, 'Name')).toBeFocused()
  await expect(textbox(create, 'Description')).toHaveValue('A second one')
  await textbox(create, 'Name').fill(unique('second'))
  await expect(create.getByText('Name already exists', { exact: true })).toBeHidden()
})

const waysOut: Record<string, (page: Page) => Promise<unknown>> = {
  Escape: (page) => page.keyboard.press('Escape'),
  'a press outside': (page) => page.mouse.click(300, 400),
  'the close icon': (page) => button(form(page), 'Close').click(),
  Cancel: (page) => button(form(page), 'Cancel').click(),
  'browser back': (page) => page.evaluate(() => window.history.back()),
}

test('a changed form asks before it is left, in every way', async ({ page, enter }) => {
  await enter('/projects')
  const create = await openForm(page)
  await textbox(create, 'Name').fill('half-done')
  for (const [way, leave] of Object.entries(waysOut))
    await test.step(way, async () => {
      await leave(page)
      const question = dialog(page, 'Confirm navigation')
      await expect(question).toBeVisible()
      await button(question, 'Keep editing').click()
      await expect(question).toBeHidden()
      await expect(textbox(create, 'Name')).toHaveValue('half-done')
      await expectPath(page, '/projects-new')
    })
  await textbox(create, 'Name').focus()
  await page.keyboard.press('Escape')
  await button(dialog(page, 'Confirm navigation'), 'Leave form').click()
  await expect(create).toBeHidden()
  await expectPath(page, '/projects')
})

test('after "Keep editing" the focus is in the form again', async ({ page, enter }) => {
  await enter('/projects')
  const create = await openForm(page)
  await textbox(create, 'Name').fill('half-done')
  await page.mouse.click(300, 400)
  await button(dialog(page, 'Confirm navigation'), 'Keep editing').click()
  await expect.poll(() => create.evaluate((form) => form.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Confirm navigation')).toBeVisible()
})

test('browser back leaves a changed form once that is confirmed', async ({ page, enter }) => {
  await enter('/projects')
  const create = await openForm(page)
  await textbox(create, 'Name').fill('half-done')
  await page.evaluate(() => window.history.back())
  await button(dialog(page, 'Confirm navigation'), 'Leave form').click()
  await expect(create).toBeHidden()
  await expectPath(page, '/projects')
})

test('an untouched form closes immediately, in every way', async ({ page, enter }) => {
  await enter('/projects')
  for (const [way, leave] of Object.entries(waysOut))
    await test.step(way, async () => {
      const create = await openForm(page)
      await leave(page)
      await expect(create).toBeHidden()
      await expect(dialog(page, 'Confirm navigation')).toBeHidden()
      await expectPath(page, '/projects')
    })
})

test('the focus returns to where a form and a menu were opened', async ({ page, enter }) => {
  await enter('/projects')
  await openForm(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'New project', exact: true })).toBeFocused()
  await openRowMenu(page, 'storefront')
  await expect(menuItem(page, 'Copy ID')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button(row(page, 'storefront'), 'Row actions')).toBeFocused()
})

test('a project id is copied and a toast confirms it', async ({ page, context, enter, kind, site, api }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin })
  await enter('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  const { id } = await api.projectView({ params: { project: 'storefront' } })
  await fromRow(page, 'storefront', 'Copy ID')
  await expectToast(page, 'Project ID copied')
  expect(await page.evaluate(() => navigator.clipboard.readText()), kind).toBe(id)
})

const keptForms = [
  { noun: 'disk', path: 'disks-new', title: 'Create disk', list: 'disks' },
  { noun: 'floating IP', path: 'floating-ips-new', title: 'Create floating IP', list: 'floating-ips' },
  {
    noun: 'firewall rule',
    path: 'vpcs/default/firewall-rules-new',
    title: 'Create firewall rule',
    list: 'vpcs/default/firewall-rules',
  },
]
for (const { noun, path, title, list } of keptForms)
  test(`the form of a ${noun} keeps its input when another user renames the project, and continues under the new name`, async ({
    page,
    api,
    own,
    troubles,
  }) => {
    // The data on screen are read once more under the former name.
    troubles.allow(/^404 GET /, /^ApiError: not found/)
    const project = await own('former')
    const renamed = unique('zz-latter')
    const stream = page.waitForRequest(/\/v1\/events\?/)
    await openIn(page, project, path)
    const create = dialog(page, title)
    await textbox(create, 'Name').fill('kept')
    await stream
    await api.projectUpdate({ params: { project }, body: { name: renamed } })
    await expectPath(page, `/projects/${renamed}/${path}`)
    await expectToast(page, `Another user renamed the project ${project}: it is now ${renamed}.`)
    await expect(textbox(create, 'Name')).toHaveValue('kept')
    if (noun === 'firewall rule')
      await create.getByRole('radio', { name: /all instances/i }).check({ force: true })
    await button(create, title).click()
    await expectPath(page, `/projects/${renamed}/${list}`)
    await expect(row(page, 'kept')).toBeVisible()
  })
