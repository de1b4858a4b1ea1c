import {
  button,
  confirm,
  dialog,
  expectPath,
  expectToast,
  fromRow,
  heading,
  row,
  textbox,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const clientId = '0b7a1c9e-0000-4000-8000-000000000001'
const grantType = 'urn:ietf:params:oauth:grant-type:device_code'

test('a person lets a program sign in with a code, sees its token and deletes it', async ({
  page,
  enter,
  site,
  troubles,
}) => {
  troubles.allow(/^404 POST \/device\/confirm/, /status of 404/)
  const ask = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(`${site.origin}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    return (await response.json()) as Record<string, string>
  }
  const asTheProgram = (token: string) =>
    fetch(`${site.origin}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  const codes = await ask('/device/auth', { client_id: clientId })
  expect(codes['verification_uri']).toBe(`${site.origin}/device/verify`)

  await enter('/device/verify', 'mei-tanaka')
  await expect(heading(page, 'Device Authentication')).toBeVisible()
  await expect(page.getByText('mei-tanaka')).toBeVisible()
  const box = (at: number) => page.getByRole('textbox', { name: `Character ${at}.` })
  const send = page.getByRole('button', { name: 'Log in on device' })
  await expect(box(1)).toBeFocused()
  await page.keyboard.type('b1cdfghjk')
  await expect(box(8)).toHaveValue('K')
  await send.click()
  await expect(page.getByText('Code is invalid')).toBeVisible()
  await box(1).focus()
  await page.keyboard.type(codes['user_code']?.replace('-', '').toLowerCase() ?? '')
  await send.click()
  await expect(heading(page, 'Device logged in')).toBeVisible()
  await expectPath(page, '/device/success')

  const token = await ask('/device/token', {
    grant_type: grantType,
    device_code: codes['device_code'] ?? '',
    client_id: clientId,
  })
  const secret = token['access_token'] ?? ''
  expect((await asTheProgram(secret)).status).toBe(200)

  await enter('/settings/access-tokens', 'mei-tanaka')
  const id = token['token_id'] ?? ''
  await expect(row(page, id)).toContainText('Never')
  await fromRow(page, id, 'Delete')
  await expect(page.getByText('This cannot be undone')).toBeVisible()
  await confirm(page, 'Delete access token')
  await expectToast(page, `Access token ${id} deleted`)
  await expect(page.getByText('No access tokens')).toBeVisible()
  expect((await asTheProgram(secret)).status).toBe(401)
})

test('a person makes a token for a script, sees when it was used, and deletes it', async ({
  page,
  enter,
  site,
}) => {
  await enter('/settings/access-tokens', 'mei-tanaka')
  await button(page, 'New access token').first().click()
  const create = dialog(page, 'New access token')
  await textbox(create, 'Name').fill('nightly')
  await button(create, 'Create access token').click()
  const shown = dialog(page, 'Access token created')
  const token = await textbox(shown, 'Token').inputValue()
  await expect(textbox(shown, 'Command line')).toHaveValue(
    `PURLIN_HOST=${site.origin} PURLIN_TOKEN=${token} purlin project list`,
  )
  await expect(textbox(shown, 'Request')).toHaveValue(
    `curl -H 'Authorization: Bearer ${token}' ${site.origin}/v1/me`,
  )
  const status = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${site.origin}/v1/me`, { headers })).status
  }
  await button(shown, 'Close').last().click()
  await expect(row(page, 'nightly')).toContainText('Never')
  expect(await status()).toBe(200)
  await fromRow(page, 'nightly', 'Delete')
  await confirm(page, 'Delete access token')
  await expectToast(page, 'Access token nightly deleted')
  expect(await status()).toBe(401)

  for (const name of ['hourly', 'weekly']) {
    await button(page, 'New access token').first().click()
    await textbox(create, 'Name').fill(name)
    await button(create, 'Create access token').click()
    await button(shown, 'Close').last().click()
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  }
  await button(page, 'Delete').click()
  await confirm(page, 'Delete 2 access tokens')
  await expectToast(page, '2 access tokens deleted')
  await expect(page.getByText('No access tokens')).toBeVisible()
})
