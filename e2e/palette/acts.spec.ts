/** The palette acts on what is not on the page. */
import type { Locator, Page } from '@playwright/test'
import { button, confirm, dialog, expectPath, expectToast, go, heading } from '../support/actions.ts'
import {
  expectState,
  makeDisk,
  makeFloatingIp,
  makeInstance,
  makeSnapshot,
  openIn,
} from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const palette = (page: Page): Locator => dialog(page, 'Quick actions')
const option = (page: Page, name: string | RegExp): Locator => palette(page).getByRole('option', { name })

async function type(page: Page, text: string): Promise<void> {
  if (!(await palette(page).isVisible())) await page.keyboard.press('ControlOrMeta+k')
  await palette(page).getByRole('combobox', { name: 'Search' }).fill(text)
}

test('an instance is started, stopped and found by its state from any page', async ({ page, api, own }) => {
  const project = await own('acts')
  const name = `${project}-web`
  await makeInstance(api, { project, name })
  await go(page, '/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await type(page, `stop ${name}`)
  const stop = option(page, `Stop ${name}`)
  await expect(stop).toHaveAttribute('aria-disabled', 'true')
  await expect(stop).toContainText('Only running instances can be stopped')
  await type(page, `start ${name}`)
  await expect(option(page, `Start ${name}`)).toContainText(project)
  await expect(option(page, `Start ${name}`)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
  await expectToast(page, `Starting instance ${name}`)
  await expectState(api, { project, name }, 'running')
  // The name may come first, and the question is that of its list.
  await type(page, `${name} stop`)
  await option(page, `Stop ${name}`).click()
  await confirm(page, 'Stop instance')
  await expectState(api, { project, name }, 'stopped')
  await expectPath(page, '/projects')
})

test('a disk is attached to a second resource that is typed with it', async ({ page, api, own }) => {
  const project = await own('acts')
  const [data, web] = [`${project}-data`, `${project}-web`]
  await makeDisk(api, project, data)
  await makeInstance(api, { project, name: web })
  await go(page, '/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await type(page, `attach disk ${data} to ${web}`)
  await option(page, `Attach ${data} to ${web}`).click()
  const attach = dialog(page, 'Attach disk')
  await expect(attach.getByRole('combobox', { name: 'Instance' })).toHaveValue(web)
  await button(attach, 'Attach').click()
  await expectToast(page, `Disk ${data} attached`)
  const { items } = await api.instanceDiskList({ params: { instance: web }, query: { project } })
  expect(items.map(({ name }) => name)).toContain(data)
  // Attached disks have the action no more, as in their menu.
  await type(page, `attach ${data}`)
  await expect(option(page, /^Attach/)).toHaveCount(0)
  await expect(option(page, data)).toBeVisible()
})

test('an address is moved by itself to an instance', async ({ page, api, own }) => {
  const project = await own('acts')
  const [one, two] = [`${project}-one`, `${project}-two`]
  await makeInstance(api, { project, name: one })
  await makeInstance(api, { project, name: two })
  const ip = await makeFloatingIp(api, project, 'front', one)
  await openIn(page, project, 'disks')
  await expect(heading(page, 'Disks')).toBeVisible()
  await type(page, `move ${ip} to ${two}`)
  await option(page, `Move front to ${two}`).click()
  const move = dialog(page, 'Move floating IP')
  await expect(move.getByRole('combobox', { name: 'Instance' })).toHaveValue(two)
  await button(move, 'Move').click()
  await expectToast(page, 'Floating IP front moved')
  const id = (await api.instanceView({ params: { instance: two }, query: { project } })).id
  const { instanceId } = await api.floatingIpView({ params: { floatingIp: 'front' }, query: { project } })
  expect(instanceId).toBe(id)
  // Without the second resource, the dialog asks for it. It closes with the page.
  await type(page, `move ${ip}`)
  await option(page, 'Move front to …').click()
  await expect(move.getByRole('combobox', { name: 'Instance' })).toHaveValue('')
  await go(page, '/projects')
  await expect(move).toBeHidden()
})

test('a resource of its kind is deleted, and a disk is rolled back', async ({ page, api, own }) => {
  const project = await own('acts')
  const name = `${project}-prod`
  await api.vpcCreate({ query: { project }, body: { name, description: '', dnsName: 'prod' } })
  await makeDisk(api, project, name)
  const snapshot = `${project}-nightly`
  await makeSnapshot(api, project, { name: snapshot, disk: name })
  await go(page, '/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  // People also say it in other words.
  await type(page, `rename disk ${name}`)
  await expect(option(page, `Edit ${name}`)).toBeVisible()
  await type(page, `grow ${name}`)
  await expect(option(page, `Enlarge ${name}`)).toBeVisible()
  await type(page, `roll back ${snapshot}`)
  await option(page, `Roll disk back ${snapshot}`).click()
  await expect(dialog(page, 'Roll disk back')).toContainText(snapshot)
  await page.keyboard.press('Escape')
  await type(page, `delete ${name}`)
  await expect(option(page, `Delete ${name}`)).toHaveCount(2)
  await type(page, `delete vpc ${name}`)
  await expect(option(page, `Delete ${name}`)).toHaveCount(1)
  await option(page, `Delete ${name}`).click()
  await expect(dialog(page, /Delete VPC|VPC .* cannot be deleted/i).or(dialog(page, /Delete/))).toBeVisible()
})

test('an action that the state of an instance prevents gives its reason before it is taken', async ({
  page,
  api,
  own,
}) => {
  const project = await own('acts')
  const [web, data, nightly, whole] = ['web', 'data', 'nightly', 'monday'].map((one) => `${project}-${one}`)
  const query = { project }
  await makeDisk(api, project, data ?? '')
  await makeInstance(api, { project, name: web ?? '', disks: [data ?? ''] })
  await makeSnapshot(api, project, { name: nightly ?? '', disk: data ?? '' })
  const body = { name: whole ?? '', description: '' }
  await api.instanceSnapshotCreate({ query: { project, instance: web ?? '' }, body })
  await api.instanceStart({ params: { instance: web ?? '' }, query })
  await expectState(api, { project, name: web ?? '' }, 'running')
  await go(page, '/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  for (const [typed, label, reason] of [
    [`detach ${data}`, `Detach ${data}`, 'Instance must be stopped before disk can be detached'],
    [`roll back disk ${data}`, `Roll back ${data}`, `Instance ${web} must be stopped before its disk can be`],
    [`roll back ${nightly}`, `Roll disk back ${nightly}`, `Instance ${web} must be stopped before its disk`],
    [`roll back ${whole}`, `Roll instance back ${whole}`, 'Instance must be stopped before it can be rolled'],
  ] as const) {
    await type(page, typed)
    await option(page, label).hover()
    await expect(option(page, label)).toContainText(reason)
    await expect(option(page, label)).toHaveAttribute('aria-disabled', 'true')
  }
})

test('a snapshot of an instance, a schedule and a template are acted on from any page', async ({
  page,
  api,
  own,
}) => {
  const project = await own('acts')
  const query = { project }
  const [web, whole, evening, template] = ['web', 'monday', 'evening', 'base'].map(
    (one) => `${project}-${one}`,
  )
  const named = (name = '') => ({ name, description: '' })
  await makeInstance(api, { project, name: web ?? '' })
  await api.instanceSnapshotCreate({ query: { project, instance: web ?? '' }, body: named(whole) })
  const rule = { type: 'daily', time: '18:30' } as const
  const schedule = { ...named(evening), action: 'stop', tag: 'shift=day', rule } as const
  await api.scheduleCreate({ query, body: schedule })
  await api.userDataTemplateCreate({ query, body: { ...named(template), text: '#cloud-config' } })
  await go(page, '/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await type(page, `roll back ${whole}`)
  await option(page, `Roll instance back ${whole}`).click()
  await expect(dialog(page, 'Roll instance back')).toContainText(whole ?? '')
  await page.keyboard.press('Escape')
  await type(page, `protect instance snapshot ${whole}`)
  await option(page, `Protect ${whole}`).click()
  await expectToast(page, `Instance snapshot ${whole} protected`)
  await type(page, `pause ${evening}`)
  await option(page, `Pause ${evening}`).click()
  await expectToast(page, `Schedule ${evening} paused`)
  await type(page, `delete ${template}`)
  await option(page, `Delete ${template}`).click()
  await confirm(page, 'Delete user data template')
  await expectToast(page, `User data template ${template} deleted`)
  await expectPath(page, '/projects')
})

test('an admin of a silo with local users acts on a user and a group from any page', async ({
  page,
  enter,
}) => {
  await enter('/projects', 'lena-vogt')
  await expect(heading(page, 'Projects')).toBeVisible()
  await type(page, 'set password lena-vogt')
  await option(page, 'Set password lena-vogt').click()
  await expect(dialog(page, /password/i)).toBeVisible()
  await page.keyboard.press('Escape')
})

test('one search is asked for a pause, and the number of entries is announced', async ({
  page,
  api,
  own,
}) => {
  const project = await own('acts')
  const name = `${project}-web`
  await makeInstance(api, { project, name })
  await openIn(page, project, 'disks')
  await expect(heading(page, 'Disks')).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/v1/search') asked.push(url.searchParams.get('q') ?? '')
  })
  await type(page, `stop ${name}`)
  await expect(option(page, `Stop ${name}`)).toBeVisible()
  expect(asked).toEqual([name])
  await expect(palette(page).getByRole('status')).toHaveText(/^\d+ entr(y|ies)$/)
})

test('on the page of a resource its actions are listed once, and viewers see why they have none', async ({
  page,
  api,
  own,
  enter,
}) => {
  const project = await own('acts')
  const name = `${project}-web`
  await makeInstance(api, { project, name, start: true })
  await openIn(page, project, `instances/${name}`)
  await expect(heading(page, name)).toBeVisible()
  await type(page, `stop ${name}`)
  await expect(option(page, name)).not.toHaveCount(0)
  await expect(option(page, /^Stop/)).toHaveCount(1)
  await openIn(page, project, 'instances')
  await expect(heading(page, 'Instances')).toBeVisible()
  await type(page, `stop ${name}`)
  await expect(option(page, /^Stop/)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await enter('/projects', 'mei-tanaka')
  await type(page, `stop ${name}`)
  await expect(option(page, `Stop ${name}`)).toHaveAttribute('aria-disabled', 'true')
  await expect(option(page, `Stop ${name}`)).toContainText(
    'This requires the collaborator role on the project.',
  )
})
