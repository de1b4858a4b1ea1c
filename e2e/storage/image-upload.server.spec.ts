/** Uploads with failures, which are made by intercepting the network. */
import { createHash } from 'node:crypto'
import type { Page, Route } from '@playwright/test'
import { GiB, MiB } from '@purlin/contract/rules/limits'
import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  fromRow,
  openRowMenu,
  menuItem,
  row,
  textbox,
} from '../support/actions.ts'
import { makeProject, openIn } from '../support/prepare.ts'
import {
  choose,
  expectNothingLeft,
  fileOf,
  fillDetails,
  form,
  isUploaded,
  progress,
  rawImage,
  step,
  submit,
  withFile,
} from '../support/upload.ts'
import { carry, expect, newSession, test } from '../support/world.ts'

const calls = {
  'Create temporary disk': ['POST', /\/v1\/disks\?/],
  'Put disk in import mode': ['POST', /\/bulk-write-start/],
  'Upload image file': ['POST', /\/blocks\?/],
  'Get disk out of import mode': ['POST', /\/bulk-write-stop/],
  'Finalize disk and create snapshot': ['POST', /\/finalize/],
  'Create image': ['POST', /\/v1\/images\?/],
  'Delete disk and snapshot': ['DELETE', /\/v1\/disks\//],
} as const
type StepName = keyof typeof calls

/** Intercepts the calls of a step. */
const meddle = (page: Page, name: StepName, decide: (route: Route) => Promise<unknown>): Promise<unknown> => {
  const [method, url] = calls[name]
  return page.route(url, (route) => (route.request().method() === method ? decide(route) : route.continue()))
}
const refuse = (status: number, body: object) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
const failure = refuse(500, { request_id: 'r-1', error_code: 'Internal', message: 'Internal Server Error' })
const stopMeddling = (page: Page) => page.unrouteAll({ behavior: 'ignoreErrors' })

/** Reloads and waits for the page: interception that ends while a page loads takes its requests along. */
async function reload(page: Page) {
  page.once('dialog', (question) => void question.accept())
  await page.reload()
  await expect(page.locator('h1').first()).toBeVisible()
}

/** Opens the form in a new project and fills it. */
async function prepare(page: Page, project: string, file: Parameters<typeof choose>[1] = fileOf('shop.raw')) {
  await openIn(page, project, 'images-new')
  await fillDetails(page, 'shop')
  await choose(page, file)
}
const cancelling = (page: Page) => dialog(page, 'Cancel upload?')

for (const name of [
  'Put disk in import mode',
  'Upload image file',
  'Get disk out of import mode',
  'Create image',
] as const)
  test(`cancelling in the step “${name}” leaves nothing and keeps the form`, async ({ page, enter, api }) => {
    await enter('/projects')
    const project = await makeProject(api, 'give-up')
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await prepare(page, project)
    await meddle(page, name, (route) => held.then(() => route.continue()).catch(() => undefined))
    await submit(page)
    await expect(step(page, name, 'running')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(cancelling(page)).toBeVisible()
    await button(cancelling(page), 'Keep uploading').click()
    await expect(cancelling(page)).toBeHidden()
    await expect(progress(page)).toBeVisible()
    await page.mouse.click(5, 5)
    await expect(cancelling(page)).toHaveCount(1)
    await button(cancelling(page), 'Cancel upload').click()
    await expect(progress(page)).toBeHidden()
    release()
    await expect(textbox(form(page), 'Name')).toHaveValue('shop')
    await expect(button(form(page), 'Upload image')).not.toHaveAttribute('aria-busy')
    await expectNothingLeft(api, project)
    expect((await api.imageList({ query: { project } })).items).toEqual([])
    await stopMeddling(page)
    await submit(page)
    await isUploaded(page)
    await expectNothingLeft(api, project)
  })

test('each failed step can be retried', async ({ page, troubles, own }) => {
  troubles.allow(/^500 /)
  const project = await own('fails')
  await prepare(page, project)
  const names = Object.keys(calls).slice(0, 6) as StepName[]
  const failing = new Set(names)
  for (const name of names)
    await meddle(page, name, (route) => (failing.has(name) ? failure(route) : route.fallback()))
  await submit(page)
  for (const name of names) {
    await expect(step(page, name, 'error')).toBeVisible()
    await expect(progress(page).getByRole('alert')).toContainText('Something went wrong. Please try again.')
    failing.delete(name)
    await button(progress(page), 'Try again').click()
  }
  await isUploaded(page)
  await button(progress(page), 'Done').click()
  await expect(row(page, 'shop')).toBeVisible()
})

for (const name of ['Upload image file', 'Create image'] as const)
  test(`a failure in the step “${name}” leads back to the form`, async ({ page, enter, api, troubles }) => {
    troubles.allow(/^500 /)
    await enter('/projects')
    const project = await makeProject(api, 'fails')
    await prepare(page, project)
    await meddle(page, name, failure)
    await submit(page)
    await expect(step(page, name, 'error')).toBeVisible()
    await stopMeddling(page)
    await button(progress(page), 'Back').click()
    await expect(progress(page)).toBeHidden()
    await expect(textbox(form(page), 'Name')).toHaveValue('shop')
    if (name !== 'Create image') return expectNothingLeft(api, project)
    await page.keyboard.press('Escape')
    await button(dialog(page, 'Confirm navigation'), 'Leave form').click()
    await expectNothingLeft(api, project)
  })

test('leaving the page during an upload asks first', async ({ page, api, own }) => {
  const project = await own('leave')
  await page.goto(`/projects/${project}/images`)
  await page.getByRole('link', { name: 'Upload image' }).first().click()
  await fillDetails(page, 'shop')
  await choose(page, fileOf('shop.raw'))
  await meddle(page, 'Upload image file', (route) => route.abort())
  await submit(page)
  await expect(button(progress(page), 'Resume')).toBeVisible()
  await page.goBack()
  await button(cancelling(page), 'Keep uploading').click()
  await expect(progress(page)).toBeVisible()
  await page.goBack()
  await button(cancelling(page), 'Cancel upload').click()
  await expectPath(page, `/projects/${project}/images`)
  await expectNothingLeft(api, project)
})

test('an upload continues without its form, and the activity reports interruptions', async ({
  page,
  api,
  troubles,
  own,
}) => {
  troubles.allow(/^500 /)
  const project = await own('hidden')
  const activity = dialog(page, 'Activity')
  const entry = activity.getByRole('region', { name: 'Upload image shop' })
  let release: () => void = () => undefined
  const hold = () => {
    const held = new Promise<void>((resolve) => (release = resolve))
    return (route: Route) => held.then(() => route.continue()).catch(() => undefined)
  }
  await prepare(page, project)
  await meddle(page, 'Upload image file', hold())
  await meddle(page, 'Create image', failure)
  await submit(page)
  await expect(step(page, 'Upload image file', 'running')).toBeVisible()
  await button(progress(page), 'Hide').click()
  await expectPath(page, `/projects/${project}/images`)
  await button(page, 'Activity').click()
  await expect(entry).toContainText('shop.raw: 512 KiB of 2 MiB')
  await button(entry, 'Pause: Upload image shop').click()
  await expect(entry).toContainText('The upload continues when you resume it')
  await button(entry, 'Resume: Upload image shop').click()
  release()
  await expect(entry).toContainText('Create image failed: Something went wrong')
  await stopMeddling(page)
  await button(entry, 'Try again: Upload image shop').click()
  await expectToast(page, 'Image shop uploaded')
  await expect(entry).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(row(page, 'shop')).toBeVisible()
  await expectNothingLeft(api, project)

  await openIn(page, project, 'images-new')
  await fillDetails(page, 'late')
  await choose(page, fileOf('late.raw'))
  await meddle(page, 'Upload image file', hold())
  await submit(page)
  await expect(step(page, 'Upload image file', 'running')).toBeVisible()
  await button(progress(page), 'Hide').click()
  await reload(page)
  await stopMeddling(page)
  await button(page, 'Activity').click()
  const left = activity.getByRole('region', { name: 'Upload image late' })
  await expect(left).toContainText('Interrupted: choose the file again to continue')
  await expect(left.getByRole('link', { name: 'Resume upload: Upload image late' })).toBeVisible()
  await button(left, 'Remove: Upload image late').click()
  await confirm(page, 'Remove disk')
  await expect(left).toBeHidden()
  await expectNothingLeft(api, project)
})

test('a taken name does not require a second upload', async ({ page, api, troubles, own }) => {
  troubles.allow(/^400 POST \/v1\/images/)
  const project = await own('taken')
  await prepare(page, project)
  await meddle(
    page,
    'Create image',
    refuse(400, {
      error_code: 'ObjectAlreadyExists',
      message: 'already exists: project-image "shop"',
      request_id: 'r',
    }),
  )
  await submit(page)
  await expect(progress(page).getByRole('alert')).toContainText('name already exists')
  await button(progress(page), 'Back').click()
  await expect(form(page).getByText('The file is uploaded')).toBeVisible()
  await expect(form(page).getByText('Name already exists', { exact: true })).toBeVisible()
  await stopMeddling(page)
  let chunks = 0
  await meddle(page, 'Upload image file', (route) => {
    chunks++
    return route.continue()
  })
  await textbox(form(page), 'Name').fill('shop-2')
  await button(form(page), 'Create image').click()
  await isUploaded(page)
  expect(chunks).toBe(0)
  await expectNothingLeft(api, project)
  expect((await api.imageList({ query: { project } })).items.map(({ name }) => name)).toEqual(['shop-2'])
})

test('leftovers are named and can be removed later', async ({ page, api, troubles, own }) => {
  troubles.allow(/^500 DELETE/)
  const project = await own('leftover')
  await prepare(page, project)
  await meddle(page, 'Delete disk and snapshot', failure)
  await submit(page)
  await expect(progress(page).getByText('Could not delete temporary resources')).toBeVisible()
  await expect(progress(page)).toContainText(/disk tmp-for-image-/)
  await stopMeddling(page)
  await button(progress(page), 'Try again to delete').click()
  await expect(progress(page).getByText('Could not delete temporary resources')).toBeHidden()
  await expectNothingLeft(api, project)
})

test('leftovers of a cancelled upload do not affect the next one', async ({ page, enter, api, troubles }) => {
  troubles.allow(/^500 POST .*bulk-write-stop/)
  await enter('/projects')
  const project = await makeProject(api, 'again')
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await prepare(page, project)
  await meddle(page, 'Upload image file', (route) => held.then(() => route.continue()).catch(() => undefined))
  let isFirst = true
  await meddle(page, 'Get disk out of import mode', (route) => {
    const answer = isFirst ? failure(route) : route.continue()
    isFirst = false
    return answer
  })
  await submit(page)
  await expect(step(page, 'Upload image file', 'running')).toBeVisible()
  await page.keyboard.press('Escape')
  await button(cancelling(page), 'Cancel upload').click()
  release()
  await expect(
    form(page)
      .getByRole('alert')
      .filter({ hasText: /disk tmp-for-image-/ }),
  ).toBeVisible()
  await expect(form(page).getByText('An upload of this file was interrupted')).toBeHidden()
  await submit(page)
  await isUploaded(page)
  await expectNothingLeft(api, project)
})

test('two tabs upload the same file to separate disks', async ({ page, context, api, own }) => {
  const project = await own('tabs')
  await withFile(rawImage(), async (file) => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await prepare(page, project, file)
    await meddle(page, 'Upload image file', (route) => held.then(() => route.continue()))
    await submit(page)
    await expect(step(page, 'Upload image file', 'running')).toBeVisible()
    const [disk] = (await api.diskList({ query: { project } })).items
    if (!disk) throw new Error('there is no disk')

    const other = await context.newPage()
    await other.goto(`/projects/${project}/images-new?resume=${disk.name}`)
    const isBusy = form(other).getByText('This file is being uploaded in another tab')
    await expect(isBusy).toBeVisible()
    await fillDetails(other, 'shop-2')
    await choose(other, file)
    await expect(isBusy).toBeVisible()
    await expect(button(form(other), 'Remove it and start over')).toBeHidden()
    await submit(other)
    await isUploaded(other)
    expect((await api.diskList({ query: { project } })).items.map(({ name }) => name)).toEqual([disk.name])

    release()
    await isUploaded(page)
    await expectNothingLeft(api, project)
    const images = await api.imageList({ query: { project } })
    expect(images.items.map(({ name }) => name).toSorted()).toEqual(['shop', 'shop-2'])
  })
})

test('an upload of another browser is not touched, and the upload starts over', async ({
  page,
  api,
  own,
}) => {
  const project = await own('elsewhere')
  await withFile(rawImage(), async (file) => {
    await prepare(page, project, file)
    await meddle(page, 'Upload image file', (route) => route.abort())
    await submit(page)
    await expect(button(progress(page), 'Resume')).toBeVisible()
    await reload(page)
    await stopMeddling(page)
    await page.evaluate(() => localStorage.removeItem('purlin-uploads'))
    const [disk] = (await api.diskList({ query: { project } })).items
    if (!disk) throw new Error('there is no disk')

    await openIn(page, project, 'disks')
    await openRowMenu(page, disk.name)
    await expectDisabled(menuItem(page, 'Resume upload'), /does not know how much/)
    await expect(menuItem(page, 'Finish import')).toBeVisible()
    await page.keyboard.press('Escape')
    await openIn(page, project, `images-new?resume=${disk.name}`)
    await expect(form(page).getByText('The upload will start over')).toBeVisible()
    await fillDetails(page, 'shop')
    await choose(page, file)
    await expect(form(page).getByText('The upload will start over')).toBeVisible()
    await submit(page)
    await isUploaded(page)
    expect((await api.diskList({ query: { project } })).items.map(({ name }) => name)).toEqual([disk.name])
  })
})

test('a session that ends is renewed in place, and the upload continues', async ({
  page,
  context,
  site,
  api,
  troubles,
}) => {
  troubles.allow(/^401 /)
  const session = await newSession(site.origin, 'hanna-okafor')
  await carry(context, site, session)
  await page.goto('/projects')
  const project = await makeProject(api, 'session')
  await prepare(page, project, fileOf('shop.raw', rawImage(8 * MiB)))
  let chunks = 0
  await meddle(page, 'Upload image file', async (route) => {
    if (++chunks === 5)
      await fetch(`${site.origin}/v1/logout`, { method: 'POST', headers: { cookie: `session=${session}` } })
    await route.continue()
  })
  await submit(page)
  const ended = dialog(page, 'Your session has ended')
  await textbox(ended, 'Password').fill('drafting-table')
  await button(ended, 'Sign in').click()
  await isUploaded(page)
})

test('64 MiB survive a lost connection and a reload, and read back through a new disk', async ({
  page,
  api,
  troubles,
  own,
}) => {
  troubles.allow(/^ApiError/)
  // Digests give way to all other work: on a busy machine that of 1 GiB takes minutes.
  test.setTimeout(1_200_000)
  const project = await own('real')
  const bytes = rawImage(64 * MiB)
  await withFile(bytes, async (file) => {
    await prepare(page, project, file)
    let sent = 0
    let isLost = false
    let last = 40
    await meddle(page, 'Upload image file', async (route) => {
      if (isLost || sent >= last) {
        isLost = true
        return route.abort('internetdisconnected')
      }
      sent++
      return route.continue()
    })
    await submit(page)
    await expect(progress(page).getByRole('status')).toHaveText('The server cannot be reached')
    last = 80
    isLost = false
    await expect.poll(() => sent).toBe(80)

    await expect(progress(page).getByRole('status')).toHaveText('The server cannot be reached')
    await reload(page)
    await openIn(page, project, 'disks')
    await page.getByRole('button', { name: 'Row actions' }).click()
    await menuItem(page, 'Resume upload').click()
    await expect(form(page).getByText('Choose the same file again')).toBeVisible()
    await expect(textbox(form(page), 'Name')).toHaveValue('shop')
    await fillDetails(page, 'shop')
    await choose(page, file)
    await expect(form(page).getByText(/resumes after the first \d/)).toBeVisible()
    last = Infinity
    isLost = false
    await submit(page)
    await isUploaded(page)
    // One of the 128 chunks is zeros; those in flight at the reload may have been sent twice.
    expect(sent).toBeGreaterThanOrEqual(127)
    expect(sent).toBeLessThanOrEqual(127 + 12)
    await expectNothingLeft(api, project)

    const image = await api.imageView({ params: { image: 'shop' }, query: { project } })
    const diskSource = { type: 'image', imageId: image.id } as const
    await api.diskCreate({
      query: { project },
      body: { name: 'copy', description: '', size: GiB, diskSource },
    })
    const { id } = await api.snapshotCreate({
      query: { project },
      body: { name: 'copy', description: '', disk: 'copy' },
    })
    await api.imageCreate({
      query: { project },
      body: { name: 'copy', description: '', os: 'debian', version: '13', source: { type: 'snapshot', id } },
    })
    // The control plane reads the copy through its disk, zeros at the end included.
    const digest = createHash('sha256').update(bytes)
    for (let at = bytes.length; at < GiB; at += bytes.length) digest.update(Buffer.alloc(bytes.length))
    const read = async () => (await api.imageView({ params: { image: 'copy' }, query: { project } })).digest
    await expect.poll(read, { timeout: 900_000 }).toEqual({ type: 'sha256', value: digest.digest('hex') })
  })
})

test('an interrupted import is finished or removed in the list of disks', async ({ page, api, own }) => {
  const project = await own('half')
  for (const name of ['half', 'other']) {
    const diskSource = { type: 'importing_blocks', blockSize: 512 } as const
    await api.diskCreate({ query: { project }, body: { name, description: '', size: GiB, diskSource } })
    await api.diskBulkWriteImportStart({ params: { disk: name }, query: { project } })
  }
  await openIn(page, project, 'disks')
  await openRowMenu(page, 'half')
  await expect(menuItem(page, 'Resume upload')).toBeHidden()
  await menuItem(page, 'Finish import').click()
  await confirm(page, 'Finish import')
  await expect(row(page, 'half')).toContainText('detached')
  await fromRow(page, 'other', 'Remove')
  await confirm(page, 'Remove disk')
  await expect(row(page, 'other')).toHaveCount(0)
})
