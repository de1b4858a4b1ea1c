import type { Locator, Page } from '@playwright/test'
import { hasKvm } from '@purlin/qemu/host/kvm'
import { buildGuest, noGuest } from '@purlin/qemu/testing/guest'
import { whyNoQemu } from '@purlin/qemu/testing/qemu'
import { lacks } from '@purlin/sleds/testing/skips'
import {
  button,
  confirm,
  dialog,
  expectToast,
  find,
  fromRow,
  properties,
  row,
  textbox,
} from '../support/actions.ts'
import { openIn } from '../support/prepare.ts'
import { choose, fillDetails, isUploaded, progress, submit } from '../support/upload.ts'
import { expect, realMachines, test } from '../support/world.ts'

test.use({ siteOf: realMachines })

const project = 'real'
const lines = (page: Page) => page.locator('.xterm .xterm-accessibility-tree, .xterm .xterm-rows').first()
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const openInstance = (page: Page, path: string) => openIn(page, project, `instances/web/${path}`)
const isNow = (page: Page, state: string) =>
  expect(properties(page).getByText(state, { exact: true })).toBeVisible()

/** Opens the serial console, and waits for the shell. */
async function openShell(page: Page): Promise<void> {
  await openInstance(page, 'connect')
  await page.getByTestId('scroll-container').getByRole('link', { name: 'Connect', exact: true }).click()
  await expect(lines(page)).toContainText('guest-is-ready')
}

/** Types a line at the shell, and waits for words that it prints. The line itself must not have them. */
async function type(page: Page, line: string, printed: string): Promise<void> {
  await page.locator('.xterm').click()
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
  await expect(lines(page)).toContainText(printed)
}

/** Expects that a chart has a point above zero: each row is a time and a value. */
async function expectPoint(page: Page, title: string): Promise<void> {
  await button(page, `${title}: show as table`).click()
  const points = page.getByRole('table', { name: title }).getByRole('row')
  await expect(points.locator('td:nth-child(2)', { hasText: /[1-9]/ }).first()).toBeVisible()
}

/** How many colours a screen has. */
const colours = (screen: Locator): Promise<number> =>
  screen.evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas
    const bytes = canvas.getContext('2d')?.getImageData(0, 0, width, height).data
    return new Set(new Uint32Array(bytes?.buffer ?? [])).size
  })

test('a person boots a real machine, keeps a file on its disk, and sees its snapshot, its use and its screen', async ({
  page,
  enter,
  api,
}) => {
  test.skip(lacks(whyNoQemu), `${whyNoQemu}`)
  const guest = buildGuest()
  if (!guest) return test.skip(lacks(noGuest), noGuest)
  await enter('/projects', 'tariq-aziz')
  await api.projectCreate({ body: { name: project, description: '' } })

  await openIn(page, project, 'images-new')
  await fillDetails(page, 'tiny')
  await choose(page, guest.disk)
  await submit(page)
  await isUploaded(page)
  await button(progress(page), 'Done').click()

  await openIn(page, project, 'instances-new')
  await textbox(page, 'Name').fill('web')
  await tab(page, 'Custom').click()
  await textbox(page, 'CPUs').fill('1')
  await textbox(page, 'Memory (GiB)').fill('1')
  await find(page, page, 'Image', 'tiny')
  await textbox(page, 'Disk name').fill('web-boot')
  await button(page, 'Create instance').click()
  await expectToast(page, 'Instance web created')
  await isNow(page, 'running')
  await button(page, 'Details').click()
  await expect(properties(page)).toContainText((await hasKvm()) ? 'KVM' : 'Emulation, which is slow')

  await openShell(page)
  await type(
    page,
    'mount -t vfat /dev/vda /mnt && echo hello > /mnt/note && sync && echo wri""tten',
    'written',
  )

  await openInstance(page, 'storage')
  await fromRow(page, 'web-boot', 'Snapshot')
  const form = dialog(page, 'Create snapshot')
  await textbox(form, 'Name').fill('while-running')
  await button(form, 'Create snapshot').click()
  await expectToast(page, 'Snapshot while-running created')
  await openIn(page, project, 'snapshots')
  await expect(row(page, 'while-running')).toContainText('ready')

  await openInstance(page, 'screen')
  const screen = page.getByRole('application', { name: 'Screen of web' })
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await expect.poll(() => colours(screen)).toBeGreaterThan(1)

  await openInstance(page, 'storage')
  await button(page, 'Stop').click()
  await confirm(page, 'Stop instance')
  await isNow(page, 'stopped')
  await button(page, 'Start').click()
  await isNow(page, 'running')
  await openShell(page)
  await type(page, 'mount -t vfat /dev/vda /mnt && echo fo""und $(cat /mnt/note)', 'found hello')

  // The newest points have values as long as the guest works.
  const read = 'echo 3 > /proc/sys/vm/drop_caches; cat /mnt/note'
  await type(page, `(while :; do ${read} > /mnt/copy; sync; sleep 1; done) & echo bu""sy`, 'busy')
  await openInstance(page, 'metrics/cpu')
  await expectPoint(page, 'CPU Utilization: Running')
  await tab(page, 'Disk').click()
  await expectPoint(page, 'Bytes Read')
  await expectPoint(page, 'Bytes Written')

  // A guest that does not obey the power button.
  await openShell(page)
  await type(page, 'killall acpid; echo de""af', 'deaf')
  await openInstance(page, 'storage')
  await button(page, 'Stop').click()
  await confirm(page, 'Stop instance')
  await isNow(page, 'stopping')
  await button(page, 'Force stop').click()
  await confirm(page, 'Force stop instance')
  await isNow(page, 'stopped')
})
