import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { picture, visible } from './screens/screens.ts'

async function draw(page: Page, { text = 'Disks', colour = 'rgb(0 100 200)', left = '20px' }) {
  await page.setContent(`<h1 style="color: ${colour}; padding-left: ${left}">${text}</h1>`)
  return page.screenshot(picture)
}

test('a picture in docs/screens is replaced only if a person would see the difference', async ({
  page,
}, info) => {
  const before = info.snapshotPath('before.webp')
  await mkdir(dirname(before), { recursive: true })
  await writeFile(before, await draw(page, {}))
  expect(await draw(page, {})).toMatchSnapshot('before.webp', visible)
  expect(await draw(page, { colour: 'rgb(3 102 198)' })).toMatchSnapshot('before.webp', visible)
  expect(await draw(page, { text: 'Disk' })).not.toMatchSnapshot('before.webp', visible)
  expect(await draw(page, { left: '21px' })).not.toMatchSnapshot('before.webp', visible)
  expect(await draw(page, { colour: 'rgb(200 0 0)' })).not.toMatchSnapshot('before.webp', visible)
})
