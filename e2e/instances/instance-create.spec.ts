import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  button,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  find,
  fromRow,
  go,
  heading,
  options,
  pick,
  properties,
  row,
  textbox,
} from '../support/actions.ts'
import { makeDisk, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const create = (page: Page) => button(page, 'Create instance')

test('a person creates an instance from an image and sees it come up', async ({ page, api, own }) => {
  const project = await own('fresh')
  await makeDisk(api, project, 'data')
  await openIn(page, project, 'instances')
  await page.getByRole('link', { name: 'New instance', exact: true }).first().click()
  await expect(heading(page, 'Create instance')).toBeVisible()
  await textbox(page, 'Name').fill('web')
  await textbox(page, 'Description').fill('Answers the door')
  await page.getByRole('radio', { name: '4 CPU 16 gibibytes RAM' }).check({ force: true })
  await find(page, page, 'Image', 'debian-13')
  await textbox(page, 'Disk name').fill('web-root')

  await button(page, 'Create new disk').click()
  const disk = dialog(page, 'Create disk')
  await textbox(disk, 'Name').fill('web-root')
  await button(disk, 'Create disk').click()
  await expect(disk.getByText('Name is already in use')).toBeVisible()
  await textbox(disk, 'Name').fill('data')
  await button(disk, 'Create disk').click()
  await expect(disk.getByText('Name already exists')).toBeVisible()
  await textbox(disk, 'Name').fill('spare')
  await button(disk, 'Create disk').click()
  await button(page, 'Edit disk spare').click()
  const edited = dialog(page, 'Edit disk')
  await expect(textbox(edited, 'Name')).toHaveValue('spare')
  await textbox(edited, 'Name').fill('scratch')
  await textbox(edited, 'Size (GiB)').fill('3')
  await button(edited, 'Update disk').click()
  await expect(row(page.getByRole('table', { name: 'Disks' }), 'scratch')).toContainText('3 GiB')
  await button(page, 'Attach existing disk').click()
  const attach = dialog(page, 'Attach disk')
  await find(page, attach, 'Disk name', 'data')
  await button(attach, 'Attach disk').click()
  await expect(row(page.getByRole('table', { name: 'Disks' }), 'data')).toContainText('attach')

  await create(page).click()
  await expectToast(page, 'Instance web created')
  await expectPath(page, `/projects/${project}/instances/web/storage`)
  await expect(properties(page)).toContainText(/creating|starting/)
  await expect(properties(page)).toContainText('running')
  await expect(properties(page)).toContainText('4 vCPUs')
  await expect(properties(page)).toContainText('16 GiB')
  await button(page, 'Details').click()
  await expect(properties(page)).toContainText('Answers the door')
  await expect(properties(page)).toContainText(/203\.0\.113\.\d+/)
  await expect(row(page.getByRole('table', { name: 'Boot disk' }), 'web-root')).toBeVisible()
  await expect(row(page.getByRole('table', { name: 'Additional disks' }), 'scratch')).toBeVisible()
  await expect(row(page.getByRole('table', { name: 'Additional disks' }), 'data')).toBeVisible()

  // A second one like it.
  await openIn(page, project, 'instances')
  await fromRow(page, 'web', 'Clone')
  await expectPath(page, `/projects/${project}/instances-new/web`)
  await expect(page.getByText('Prefilled from web.')).toBeVisible()
  await expect(textbox(page, 'Name')).toHaveValue('web-copy')
  await expect(textbox(page, 'Description')).toHaveValue('Answers the door')
  await expect(page.getByRole('radio', { name: '4 CPU 16 gibibytes RAM' })).toBeChecked()
  await expect(page.getByRole('combobox', { name: 'Image', exact: true })).toHaveValue('debian-13')
  const disks = page.getByRole('table', { name: 'Disks' })
  await expect(row(disks, 'scratch-copy')).toContainText('create')
  await expect(row(disks, 'data-copy')).toContainText('create')
  await create(page).click()
  await expectPath(page, `/projects/${project}/instances/web-copy/storage`)
  await expect(properties(page)).toContainText('4 vCPUs')
  await expect(row(page.getByRole('table', { name: 'Additional disks' }), 'data-copy')).toBeVisible()
})

test('a stopped instance that boots from a disk of the project is created', async ({ page, api, own }) => {
  const project = await own('resting')
  await makeDisk(api, project, 'system')
  await openIn(page, project, 'instances-new')
  await textbox(page, 'Name').fill('web')
  await page.getByRole('checkbox', { name: 'Start instance' }).uncheck()
  await page.getByRole('tab', { name: 'Existing disks' }).click()
  await create(page).click()
  await expect(page.getByText('Disk is required').first()).toBeVisible()
  await find(page, page, 'Disk', 'system')
  await page.getByRole('checkbox', { name: 'Allocate and attach an ephemeral IP address' }).uncheck()
  await create(page).click()
  await expectPath(page, `/projects/${project}/instances/web/storage`)
  await expect(properties(page)).toContainText('stopped')
  await expect(properties(page)).not.toContainText(/203\.0\.113\.\d+/)
  await expect(row(page.getByRole('table', { name: 'Boot disk' }), 'system')).toBeVisible()
})

test('the form shows errors before and after it is submitted', async ({ page, enter, troubles }) => {
  troubles.allow(/^400 POST \/v1\/instances/)
  await enter('/projects/storefront/instances-new')
  await create(page).click()
  const wrong = page.getByRole('list', { name: 'Fields to correct' })
  await expect(wrong).toContainText('Name is required')
  await expect(wrong).toContainText('Image is required')
  await expect(textbox(page, 'Name')).toBeFocused()
  await textbox(page, 'Name').fill('shop-a')
  await find(page, page, 'Image', 'alpine-3-22')
  await expect(wrong).toBeHidden()
  await page.getByRole('tab', { name: 'Custom' }).click()
  await textbox(page, 'CPUs').fill('999')
  await textbox(page, 'Memory (GiB)').fill('9999')
  await create(page).click()
  await expect(wrong).toContainText('Can be at most 64')
  await expect(wrong).toContainText('Can be at most 1536 GiB')
  await expect(textbox(page, 'CPUs')).toHaveValue('999')
  await page.getByRole('tab', { name: 'High CPU' }).click()
  await create(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Instance name already exists' })).toBeVisible()
  await expect(textbox(page, 'Name')).toBeFocused()
  await expect(page.getByText('Name already exists', { exact: true }).first()).toBeVisible()
})

test('the size of the boot disk follows the image but is never lowered', async ({ page, enter }) => {
  await enter('/projects/telemetry/instances-new')
  const size = textbox(page, 'Disk size (GiB)')
  await size.fill('5')
  await find(page, page, 'Image', 'rocky-10')
  await expect(size).toHaveValue('10')
  await find(page, page, 'Image', 'alpine-3-22')
  await expect(size).toHaveValue('10')
  await page.getByRole('tab', { name: 'Project images' }).click()
  await find(page, page, 'Image', 'collector-golden')
  await expect(size).toHaveValue('20')
  await size.fill('4')
  await size.blur()
  await expect(size).toHaveValue('12')
  await page.getByRole('tab', { name: 'Silo images' }).click()
  await expect(page.getByRole('combobox', { name: 'Image' })).toHaveValue('alpine-3-22')
})

test('keys are chosen, and one is added without leaving the form', async ({ page, enter }) => {
  await enter('/projects/storefront/instances-new')
  await textbox(page, 'Name').fill('kept')
  await expect(page.getByRole('checkbox', { name: 'workstation' })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Select all' }).uncheck()
  await expect(page.getByRole('checkbox', { name: 'workstation' })).not.toBeChecked()
  await button(page, 'Add SSH Key').click()
  await expect(dialog(page, /^Add SSH key$/i)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(textbox(page, 'Name')).toHaveValue('kept')
})

test('an error in a collapsed section expands it and gets the focus', async ({ page, enter }) => {
  await enter('/projects/storefront/instances-new')
  await textbox(page, 'Name').fill('web')
  await find(page, page, 'Image', 'alpine-3-22')
  const advanced = page.getByRole('button', { name: /^Advanced/ })
  await advanced.click()
  await textbox(page, 'Hostname').fill('-web')
  await advanced.click()
  await expect(textbox(page, 'Hostname')).toBeHidden()
  await create(page).click()
  await expect(textbox(page, 'Hostname')).toBeFocused()
  await expect(page.getByRole('list', { name: 'Fields to correct' })).toContainText(
    'Hostname: Must be 1 to 253',
  )
  await textbox(page, 'Hostname').fill('web')
  await page
    .getByLabel('User data file')
    .setInputFiles({ name: 'init.yaml', mimeType: 'text/yaml', buffer: Buffer.alloc(40_000) })
  await expect(page.getByText('39.06 KiB of 32 KiB')).toBeVisible()
  await create(page).click()
  await expect(button(page, 'Clear file')).toBeFocused()
  await expect(button(page, 'Clear file')).toHaveAccessibleDescription(/Can be at most 32 KiB/)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('User data file')).toBeFocused()
})

test('typed user data is checked before it is sent', async ({ page, own }) => {
  const project = await own('typed')
  await openIn(page, project, 'instances-new')
  await textbox(page, 'Name').fill('web')
  await find(page, page, 'Image', 'alpine-3-22')
  await page.getByRole('button', { name: /^Advanced/ }).click()
  const text = textbox(page, 'User data')
  await text.fill('#cloud-config\nusers:\n\t- anna')
  await expect(page.getByText('31.97 KiB left')).toBeVisible()
  await create(page).click()
  await expect(text).toBeFocused()
  await expect(text).toHaveAccessibleDescription(/Line 3: /)
  await text.fill('#cloud-config\nusers:\n  - anna')
  await expect(text).not.toHaveAccessibleDescription(/Line 3: /)
  await page
    .getByLabel('User data file')
    .setInputFiles({ name: 'init.yaml', mimeType: 'text/yaml', buffer: Buffer.from('#cloud-config\n- a') })
  await expect(button(page, 'Clear file')).toHaveAccessibleDescription(/Line 2: /)
  await expectDisabled(text, /The file is sent instead/)
  await button(page, 'Clear file').click()
  const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().includes('/v1/instances?'))
  await create(page).click()
  const { user_data: data } = (await sent).postDataJSON() as { user_data: string }
  expect(Buffer.from(data, 'base64').toString()).toBe('#cloud-config\nusers:\n  - anna')
  await expect(heading(page, 'web')).toBeVisible()
})

test('a missing network and an unreadable file are reported at their fields', async ({
  page,
  api,
  own,
  troubles,
}) => {
  troubles.allow(/^404 POST /)
  const project = await own('no-subnet')
  await makeDisk(api, project, 'system')
  await api.vpcSubnetDelete({ params: { subnet: 'default' }, query: { project, vpc: 'default' } })
  await openIn(page, project, 'instances-new')
  await textbox(page, 'Name').fill('web')
  await page.getByRole('tab', { name: 'Existing disks' }).click()
  await find(page, page, 'Disk', 'system')
  await create(page).click()
  await expect(page.getByRole('alert').getByText('Not found: vpc-subnet with name "default"')).toBeVisible()
  await button(page, 'Go to Network interface').click()
  await expect(page.getByRole('radio', { name: /^Default/ })).toBeFocused()
  await page.getByRole('radio', { name: /^None/ }).check()

  await page.getByRole('button', { name: /^Advanced/ }).click()
  const folder = await mkdtemp(join(tmpdir(), 'purlin-user-data-'))
  try {
    await writeFile(join(folder, 'init.yaml'), '#cloud-config')
    await page.getByLabel('User data file').setInputFiles(join(folder, 'init.yaml'))
    await writeFile(join(folder, 'init.yaml'), '#cloud-config, edited while the form was open')
    await create(page).click()
    await expect(page.getByRole('alert').getByText('The file can no longer be read.')).toBeVisible()
    await button(page, 'Go to User data file').click()
    await expect(button(page, 'Clear file')).toBeFocused()
    await expect(textbox(page, 'Name')).toHaveValue('web')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('an instance that cannot be placed shows the reason on every screen', async ({ page, api, own }) => {
  const project = await own('too-large')
  await makeDisk(api, project, 'system')
  const group = { name: 'apart', description: '', policy: 'fail', failureDomain: 'sled' } as const
  await api.antiAffinityGroupCreate({ query: { project }, body: group })
  await openIn(page, project, 'instances-new')
  await textbox(page, 'Name').fill('giant')
  await page.getByRole('tab', { name: 'Custom' }).click()
  await textbox(page, 'CPUs').fill('64')
  await textbox(page, 'Memory (GiB)').fill('1536')
  await page.getByRole('tab', { name: 'Existing disks' }).click()
  await find(page, page, 'Disk', 'system')
  await page.getByRole('button', { name: /^Advanced/ }).click()
  await find(page, page, 'Anti-affinity groups', 'apart')
  await expect(row(page.getByRole('table', { name: 'Anti-affinity groups' }), 'apart')).toContainText('fail')
  await create(page).click()
  const reason = /No sled has 64 vCPUs and 1536 GiB of memory free\. Make the instance smaller/
  await expect(page.getByText('This instance could not be started')).toBeVisible()
  await expect(page.getByText(reason)).toBeVisible()
  await go(page, `/projects/${project}/instances/giant/serial-console`)
  await expect(page.getByText(reason)).toBeVisible()
  await go(page, `/projects/${project}/instances`)
  await button(row(page, 'giant'), 'What went wrong').hover()
  await expect(page.getByRole('tooltip')).toContainText(reason)
  await page.getByRole('link', { name: 'giant', exact: true }).click()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(row(page, 'apart')).toBeVisible()
})

test('the first of hundreds are offered immediately, and the others are found by typing', async ({
  page,
  api,
  own,
}) => {
  const project = await own('hundreds')
  const diskSource = { type: 'blank', blockSize: 4096 } as const
  for (let i = 100; i < 400; i++)
    await api.diskCreate({
      query: { project },
      body: { name: `disk-${i}`, description: '', size: 2 ** 30, diskSource },
    })
  await openIn(page, project, 'instances-new')
  await page.getByRole('tab', { name: 'Existing disks' }).click()
  const box = page.getByRole('combobox', { name: 'Disk', exact: true })
  await box.click()
  await expect(options(page).first()).toHaveAttribute('aria-setsize', '50')
  await expect(page.getByText('250 more: keep typing to narrow them down')).toBeVisible()
  expect(await options(page).count()).toBeLessThan(40)
  const marked = async () => page.locator(`[id="${(await box.getAttribute('aria-activedescendant')) ?? ''}"]`)
  await page.keyboard.press('ArrowUp')
  await expect(await marked()).toHaveText(/^disk-149/)
  await expect(await marked()).toBeInViewport()
  await page.keyboard.press('ArrowDown')
  await expect(await marked()).toBeInViewport()
  await expect(await marked()).toHaveText(/^disk-100/)
  await box.fill('250')
  await expect(options(page)).toHaveText([/^disk-250/])
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue('disk-250')
})

test('a list of many disks is filtered by typing, and nonsense finds nothing', async ({ page, enter }) => {
  await enter('/projects/telemetry/instances-new')
  await page.getByRole('tab', { name: 'Existing disks' }).click()
  const box = page.getByRole('combobox', { name: 'Disk', exact: true })
  await box.click()
  await expect(options(page)).toHaveCount(3)
  await box.fill('ARCH')
  await expect(options(page)).toHaveText([/archive-2025/])
  await box.fill('nonsense')
  await expect(page.getByText('No items match')).toBeVisible()
})

test('a changed page form asks before it is left', async ({ page, enter }) => {
  await enter('/projects/storefront/instances')
  await page.getByRole('link', { name: 'New instance', exact: true }).first().click()
  await textbox(page, 'Name').fill('half-done')
  const question = dialog(page, 'Confirm navigation')
  await page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: 'Disks' })
    .click()
  await button(question, 'Continue editing').click()
  await expect(textbox(page, 'Name')).toHaveValue('half-done')
  await button(page, 'Cancel').click()
  await button(question, 'Continue editing').click()
  await page.evaluate(() => window.history.back())
  await button(question, 'Leave this page').click()
  await expectPath(page, '/projects/storefront/instances')
})

test('the pool of the ephemeral address is shown if there is one', async ({ page, enter }) => {
  await enter('/projects')
  await go(page, '/projects/storefront/instances-new')
  const pool = page.getByRole('button', { name: /IP pool for ephemeral IP/ })
  await expect(pool).toContainText('public-v4')
  await pick(page, page, 'IP pool for ephemeral IP', 'office')
  await page.getByRole('checkbox', { name: 'Allocate and attach an ephemeral IP address' }).uncheck()
  await expect(pool).toBeHidden()
})

test('a form says whom to ask for what it lacks, and imports an image without losing its values', async ({
  page,
  enter,
}) => {
  await page.route('**/v1/ip-pools*', (route) => route.fulfill({ json: { items: [] } }))
  await enter('/projects/telemetry/floating-ips-new', 'hanna-okafor')
  await expect(page.getByText('Ask an administrator for an IP pool.')).toBeVisible()
  await expect(button(page, 'Create IP pool')).toHaveCount(0)

  await enter('/projects/batch-lab/instances-new', 'hanna-okafor')
  await textbox(page, 'Name').fill('half-filled')
  await page.getByRole('tab', { name: 'Project images' }).click()
  await button(page, 'Import image').click()
  const form = dialog(page, 'Import image')
  await button(form, 'Cancel').click()
  await expect(form).toHaveCount(0)
  await expect(textbox(page, 'Name')).toHaveValue('half-filled')
})
