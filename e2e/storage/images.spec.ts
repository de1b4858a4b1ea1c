import { GiB } from '@purlin/contract/rules/limits'
import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  find,
  fromRow,
  go,
  heading,
  menuItem,
  openRowMenu,
  row,
  unique,
} from '../support/actions.ts'
import { makeDisk, makeImage, makeProject, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

test('a person promotes an image, demotes it, and deletes it', async ({ page, api, own }) => {
  const project = await own('img')
  const name = unique('golden')
  await makeImage(api, project, name)
  await openIn(page, project, 'images')
  await fromRow(page, name, 'Promote')
  await button(dialog(page, 'Promote image'), 'Promote').click()
  await expectToast(page, `Image ${name} promoted`)
  await expect(page.getByText('No images', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'View silo images' }).click()
  await expect(heading(page, 'Silo Images')).toBeVisible()

  await fromRow(page, name, 'Demote')
  const demote = dialog(page, 'Demote image')
  await expect(demote).toContainText(`Demoting: ${name}`)
  await button(demote, 'Demote').click()
  await expect(demote.getByText('Project is required')).toBeVisible()
  await find(page, demote, 'Project', project)
  await button(demote, 'Demote').click()
  await expectToast(page, `Image ${name} demoted`)
  await expect(row(page, name)).toHaveCount(0)
  await page.getByRole('link', { name: /^View images in / }).click()
  await expectPath(page, `/projects/${project}/images`)

  await fromRow(page, name, 'Delete')
  await confirm(page, 'Delete image')
  await expectToast(page, `Image ${name} deleted`)
  await expect(row(page, name)).toHaveCount(0)
})

test('images are promoted together, and demoted again by the undo', async ({ page, api, own }) => {
  const project = await own('img')
  const names = [unique('one'), unique('two')]
  for (const name of names) await makeImage(api, project, name)
  await openIn(page, project, 'images')
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await button(page, 'Promote').click()
  await button(dialog(page, 'Promote images'), 'Promote 2 images').click()
  await expectToast(page, '2 images promoted')
  await expect(page.getByText('No images', { exact: true })).toBeVisible()
  await button(page, 'Undo').click()
  for (const name of names) await expect(row(page, name)).toBeVisible()
})

test('images of the silo are demoted together to one project, and promoted again by the undo', async ({
  page,
  api,
  own,
}) => {
  const project = await own('img')
  const names = [unique('one'), unique('two')]
  for (const name of names)
    await api.imagePromote({ params: { image: await makeImage(api, project, name) }, query: {} })
  await page.goto('/images')
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await button(page, 'Demote').click()
  const demote = dialog(page, 'Demote images')
  await expect(button(demote, 'Demote')).toHaveAttribute('aria-disabled', 'true')
  await find(page, demote, 'Project', project)
  await button(demote, 'Demote 2 images').click()
  await expectToast(page, '2 images demoted')
  for (const name of names) await expect(row(page, name)).toHaveCount(0)
  await button(page, 'Undo').click()
  for (const name of names) await expect(row(page, name)).toBeVisible()
})

test('a disk links to its source image, also after the image has moved to another project', async ({
  page,
  api,
  own,
}) => {
  const project = await own('img')
  const other = await makeProject(api, 'other')
  const name = unique('golden')
  const id = await makeImage(api, project, name)
  const source = { type: 'image', imageId: id } as const
  await api.diskCreate({
    query: { project },
    body: { name: 'copy', description: '', size: 2 * GiB, diskSource: source },
  })
  const params = { image: id }
  await api.imagePromote({ params, query: {} })
  await api.imageDemote({ params, query: { project: other } })
  await openIn(page, project, 'disks')
  await row(page, 'copy').getByRole('link', { name }).click()
  await expectPath(page, `/projects/${other}/images/${name}`)
  await expect(dialog(page, 'Image details')).toContainText(name)
})

test('from the silo, an image is promoted by choosing its project first', async ({ page, enter, api }) => {
  await enter('/images')
  const [project, empty] = [await makeProject(api, 'img'), await makeProject(api, 'none')]
  const name = unique('golden')
  await makeImage(api, project, name)
  await button(page, 'Promote image').click()
  const form = dialog(page, 'Promote image')
  const list = form.getByRole('combobox', { name: 'Image', exact: true })
  await expect(list).toHaveAttribute('aria-disabled', 'true')
  await expect(list).toHaveAttribute('placeholder', 'Select an image')
  await find(page, form, 'Project', empty)
  await expect(form.getByText('The project has no images.')).toBeVisible()
  await find(page, form, 'Project', project)
  await button(form, 'Promote').click()
  await expect(form.getByText('Image is required')).toBeVisible()
  await find(page, form, 'Image', name)
  await button(form, 'Promote').click()
  await expectToast(page, `Image ${name} promoted`)
  await expect(row(page, name)).toBeVisible()
})

test('a failed promotion shows the reason and can be retried', async ({ page, api, troubles, own }) => {
  troubles.allow(/^400 POST \/v1\/images/)
  const project = await own('img')
  await makeImage(api, project, 'debian-13')
  await openIn(page, project, 'images')
  await fromRow(page, 'debian-13', 'Promote')
  const form = dialog(page, 'Promote image')
  await button(form, 'Promote').click()
  await expect(form.getByRole('alert')).toContainText('Silo image name already exists')
  await button(form, 'Cancel').click()
  await expect(row(page, 'debian-13')).toBeVisible()
})

test('the properties of an image are shown over its list, at the old address too', async ({
  page,
  enter,
  api,
}) => {
  await enter('/images/debian-13/edit')
  await expectPath(page, '/images/debian-13')
  const panel = dialog(page, 'Image details')
  for (const text of ['silo', 'debian', '3 GiB', '512 B']) await expect(panel).toContainText(text)
  await page.keyboard.press('Escape')
  await expectPath(page, '/images')
  const project = await makeProject(api, 'img')
  await makeImage(api, project, 'golden')
  await openIn(page, project, 'images/golden/edit')
  await expectPath(page, `/projects/${project}/images/golden`)
  for (const text of ['project', 'plan9', '4096 B', /Digest(Not computed yet|sha256:)/])
    await expect(panel).toContainText(text)
})

test('a disk tells that its image is gone, which was said before that was deleted', async ({
  page,
  api,
  troubles,
  own,
}) => {
  troubles.allow(/^404 GET \/v1\/images/)
  const project = await own('img')
  const imageId = await makeImage(api, project, 'golden')
  const diskSource = { type: 'image', imageId } as const
  const body = { name: 'root', description: '', size: 2 * 1024 ** 3, diskSource }
  await api.diskCreate({ query: { project }, body })
  await openIn(page, project, 'disks')
  await row(page, 'root').getByRole('link', { name: 'golden', exact: true }).click()
  await expect(dialog(page, 'Image details')).toBeVisible()
  await page.keyboard.press('Escape')
  await fromRow(page, 'golden', 'Delete')
  await expect(dialog(page, 'Delete image')).toContainText('One disk was created from it: root.')
  await confirm(page, 'Delete image')
  await openIn(page, project, 'disks')
  await expect(row(page, 'root')).toContainText('Image deleted')
})

test('an image says how many disks were made from it, which its list shows as they change', async ({
  page,
  api,
  own,
}) => {
  const project = await own('img')
  const imageId = await makeImage(api, project, 'golden')
  await makeImage(api, project, 'idle')
  await openIn(page, project, 'images')
  await expect(row(page, 'golden')).not.toContainText('disk')
  const diskSource = { type: 'image', imageId } as const
  for (const name of ['root-1', 'root-2'])
    await api.diskCreate({
      query: { project },
      body: { name, description: '', size: 2 * GiB, diskSource },
    })
  await makeDisk(api, project, 'blank')
  await expect(row(page, 'golden')).toContainText('2 disks')
  await row(page, 'golden').getByRole('link', { name: 'golden', exact: true }).click()
  const panel = dialog(page, 'Image details')
  await expect(panel).toContainText('2 disks')
  await api.diskDelete({ params: { disk: 'root-1' }, query: { project } })
  await panel.getByRole('link', { name: '1 disk', exact: true }).click()
  await expectPath(page, `/projects/${project}/disks?filter=image%3A${imageId}`)
  await expect(row(page, 'root-2')).toBeVisible()
  await expect(row(page, 'blank')).toHaveCount(0)

  const name = unique('golden')
  const params = { image: imageId }
  await api.imageUpdate({ params, query: {}, body: { name } })
  await api.imagePromote({ params, query: {} })
  await go(page, '/images')
  await expect(row(page, name)).toContainText('1 disk')
})

test('a viewer sees why actions are disabled', async ({ page, enter }) => {
  await enter('/images', 'mei-tanaka')
  await expectDisabled(button(page, 'Promote image'), /role/)
  await openRowMenu(page, 'debian-13')
  for (const item of ['Demote', 'Delete']) await expectDisabled(menuItem(page, item), /role/)
  await page.keyboard.press('Escape')
  await go(page, '/projects/telemetry/images')
  await expectDisabled(button(page, 'Upload image'), /role/)
  await openRowMenu(page, 'collector-golden')
  for (const item of ['Promote', 'Delete']) await expectDisabled(menuItem(page, item), /role/)
})

test('a collaborator of a project makes images but does not give them to the silo', async ({
  page,
  enter,
}) => {
  await enter('/projects/telemetry/images', 'piotr-nowak')
  await openRowMenu(page, 'collector-golden')
  await expectDisabled(menuItem(page, 'Promote'), /collaborator role on the silo/)
  await expect(menuItem(page, 'Delete')).not.toHaveAttribute('aria-disabled', 'true')
})
