import { button, row, textbox } from '../support/actions.ts'
import { openIn } from '../support/prepare.ts'
import {
  choose,
  expectNothingLeft,
  fileOf,
  fillDetails,
  form,
  isUploaded,
  progress,
  rawImage,
  submit,
} from '../support/upload.ts'
import { expect, test } from '../support/world.ts'

test('a person uploads an image, finds it in the list, and cannot take its name again', async ({
  page,
  api,
  own,
}) => {
  const project = await own('upload')
  await openIn(page, project, 'images')
  await page.getByRole('link', { name: 'Upload image' }).first().click()
  await fillDetails(page, 'shop')
  await textbox(form(page), 'Tags').fill('env=prod')
  await form(page).getByRole('checkbox', { name: 'Protect from deletion' }).check()
  await choose(page, fileOf('shop.raw'))
  await submit(page)
  await expect(progress(page).getByRole('progressbar', { name: 'Upload progress' })).toBeVisible()
  await isUploaded(page)
  await expect(progress(page)).toContainText('2.00 / 2.00 MiB')
  await expectNothingLeft(api, project)
  await button(progress(page), 'Done').click()
  await expect(row(page, 'shop')).toContainText('For the shop')
  await expect(row(page, 'shop')).toContainText('1 GiB')
  const { tags, protected: isProtected } = await api.imageView({
    params: { image: 'shop' },
    query: { project },
  })
  expect([tags, isProtected]).toEqual([{ env: 'prod' }, true])

  await openIn(page, project, 'images-new')
  await fillDetails(page, 'shop')
  await choose(page, fileOf('shop.raw'))
  await submit(page)
  await expect(form(page).getByText('Name already exists', { exact: true })).toBeVisible()
  await expect(form(page).getByRole('alert')).toContainText('Image name already exists')
  await expect(textbox(form(page), 'Name')).toBeFocused()
  await expectNothingLeft(api, project)
  await textbox(form(page), 'Name').fill('shop-2')
  await submit(page)
  await isUploaded(page)
})

test('missing and doubtful values are reported before anything is sent', async ({ page, enter }) => {
  await enter('/projects/telemetry/images-new')
  await submit(page)
  for (const field of ['Name', 'OS', 'Version', 'Image file'])
    await expect(form(page).getByText(`${field} is required`)).toBeVisible()
  await choose(page, fileOf('odd.raw', rawImage().subarray(0, 1000)))
  await expect(
    form(page).getByText('File size must be a multiple of the block size (512 bytes)'),
  ).toBeVisible()
  await button(form(page), 'Clear file').click()
  await expect(form(page).getByText('Image file is required')).toBeVisible()
  await choose(page, fileOf('empty.raw', Buffer.alloc(0)))
  await expect(form(page).getByText('The file is empty')).toBeVisible()
  await button(form(page), 'Clear file').click()
  await choose(page, fileOf('disk.qcow2', Buffer.alloc(8192, 1)))
  await expect(form(page).getByText('This image might not be bootable')).toBeVisible()
  await expect(form(page).getByText(/compressed or converted/)).toBeVisible()
  await button(form(page), 'Clear file').click()
  await choose(page, fileOf('disk.raw'))
  await expect(form(page).getByText('This image might not be bootable')).toBeHidden()
  await form(page).getByRole('radio', { name: '4096' }).check()
  const doubt = form(page).getByText('Block size might be set incorrectly')
  await expect(doubt).toBeVisible()
  // The place of the file is the same with the doubt about it.
  await button(form(page), 'Clear file').click()
  await expect(doubt).toBeHidden()
  const label = form(page).getByText('Image file', { exact: true })
  const place = await label.boundingBox()
  await choose(page, fileOf('disk.raw'))
  await expect(doubt).toBeVisible()
  expect(await label.boundingBox()).toEqual(place)
})

test('a viewer of the project sees why uploads are disabled', async ({ page, enter }) => {
  await enter('/projects/telemetry/images-new', 'rosa-lima')
  await expect(button(form(page), 'Upload image')).toHaveAccessibleDescription(/collaborator/)
})

test('a folder that is dropped is refused where it was dropped', async ({ page, enter }) => {
  await enter('/projects/telemetry/images-new')
  const place = await form(page).getByText('Drop a file or click to browse').boundingBox()
  if (!place) throw new Error('nothing to drop a file on')
  const browser = await page.context().newCDPSession(page)
  const drop = async (path: string) => {
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await browser.send('Input.dispatchDragEvent', {
        type,
        x: place.x + place.width / 2,
        y: place.y + place.height / 2,
        data: { items: [], files: [path], dragOperationsMask: 1 },
      })
  }
  const refusal = form(page).getByText('This is a folder. Drop a single file.')
  await drop(import.meta.dirname)
  await expect(refusal).toBeVisible()
  await expect(button(form(page), 'Clear file')).toBeHidden()
  await drop(import.meta.filename)
  await expect(refusal).toBeHidden()
  await expect(form(page)).toContainText('image-upload.spec.ts')
})
