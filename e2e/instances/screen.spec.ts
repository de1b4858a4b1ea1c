import type { Page } from '@playwright/test'
import { button, expectPath, go } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const path = '/projects/storefront/instances/shop-b/screen'
const canvas = (page: Page) => page.getByRole('application', { name: 'Screen of shop-b' })

const ascii = (text: string) => Array.from(text, (c) => c.charCodeAt(0))
const format = [32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0]
/** A screen of 4 × 2 pixels that takes keys by their place. */
const size = [0, 4, 0, 2, ...format, 0, 0, 0, 4, ...ascii('test')]
const keysByPlace = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 254, 254]

/** Gives the instance a screen; returns the keys that it gets, by their scan codes, with a sign for each that is released. */
async function giveScreen(page: Page): Promise<string[]> {
  const keys: string[] = []
  await page.routeWebSocket(/instances\/shop-b\/display/, (socket) => {
    const answers = [[1, 1], [0, 0, 0, 0], size, keysByPlace]
    socket.onMessage((message) => {
      const bytes = Buffer.from(message)
      const next = answers.shift()
      if (next) socket.send(Buffer.from(next))
      for (let at = 0; at + 12 <= bytes.length; at++)
        if (bytes[at] === 255 && bytes[at + 1] === 0 && bytes[at + 2] === 0) {
          keys.push(`${bytes[at + 3] === 1 ? '+' : '-'}${bytes.readUInt32BE(at + 8)}`)
          at += 11
        }
    })
    socket.send(Buffer.from('RFB 003.008\n'))
  })
  return keys
}

test('a simulated machine says that it has no screen', async ({ page, enter }) => {
  await enter(path)
  await expect(page.getByText('The machine is simulated, and has no screen.')).toBeVisible()
  await expect(page.getByText('no screen', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send keys' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Reconnect' })).toBeHidden()
  await page.getByRole('link', { name: 'Open serial console' }).click()
  await expectPath(page, '/projects/storefront/instances/shop-b/serial-console')
  await go(page, '/projects/storefront/instances/shop-b/connect')
  await page.getByRole('link', { name: 'Open screen' }).click()
  await expect(page.getByText('The machine is simulated, and has no screen.')).toBeVisible()
})

test('a person presses keys that the browser keeps, pastes text as keys, and leaves by keyboard', async ({
  page,
  enter,
}) => {
  const keys = await giveScreen(page)
  await enter(path)
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await expect(canvas(page)).toBeVisible()
  await button(page, 'Send keys').click()
  await page.getByRole('menuitem', { name: 'Ctrl Alt Delete' }).click()
  await expect.poll(() => keys.join(' ')).toBe('+29 +56 +211 -211 -56 -29')
  await expect(canvas(page)).toBeFocused()

  keys.length = 0
  await page.keyboard.press('Tab')
  await expect.poll(() => keys.join(' ')).toBe('+15 -15')
  await page.keyboard.press('Control+F6')
  await expect(button(page, 'Send keys')).toBeFocused()

  await button(page, 'Paste text').click()
  const dialog = page.getByRole('dialog', { name: 'Paste text as keys' })
  await dialog.getByLabel('Text').fill('a漢B')
  await expect(dialog.getByText('This layout has no key for: 漢').first()).toBeVisible()
  await dialog.getByLabel('Text').fill('aB')
  keys.length = 0
  await dialog.getByRole('button', { name: 'Type text' }).click()
  await expect.poll(() => keys.join(' ')).toBe('+30 -30 +42 +48 -48 -42')
})

test('a viewer watches', async ({ page, enter }) => {
  const keys = await giveScreen(page)
  await enter(path, 'mei-tanaka')
  await expect(page.getByText(/^View only:/)).toBeVisible()
  await expect(button(page, 'Send keys')).toBeHidden()
  await canvas(page).click()
  await page.keyboard.press('a')
  await expect(button(page, 'Full screen')).toBeVisible()
  expect(keys).toEqual([])
})
