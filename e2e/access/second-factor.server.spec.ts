import type { CDPSession, Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import {
  button,
  confirmButton,
  dialog,
  expectToast,
  fromRow,
  heading,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { expect, fillSignIn, silo, test } from '../support/world.ts'

test.use({ siteOf: 'second factor' })

const secret = 'a long password of a test'
const login = `/login/${silo}/local`

/** An authenticator of the browser, which proves presence by itself. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

/** Leaves the page first, which may still be loading. */
async function signOut(page: Page) {
  await page.goto('about:blank')
  await page.context().clearCookies()
}
/** The name that passkeys are for, instead of the address. */
const named = (origin: string, path: string) => origin.replace('127.0.0.1', 'localhost') + path
/** Enters the password. */
async function begin(page: Page, origin: string, user: string) {
  await page.goto(named(origin, `${login}?redirect_uri=/settings/second-factor`))
  await fillSignIn(page, user, secret)
}
const codes = async (page: Page) =>
  page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()

test('a person adds a passkey, signs in with it, loses it and recovers', async ({
  page,
  enter,
  api,
  site,
  troubles,
}) => {
  troubles.allow(/^401 POST \/v1\/login/, /NotAllowedError/)
  await enter('/projects')
  const user = unique('nora')
  await api.localIdpUserCreate({
    query: { silo },
    body: { externalId: user, password: { mode: 'password', value: secret } },
  })
  await signOut(page)
  const { cdp, authenticatorId } = await addAuthenticator(page)

  await begin(page, site.origin, user)
  await expect(heading(page, 'Second Factor')).toBeVisible()
  await button(page, 'Add passkey').click()
  await textbox(page, 'Name').fill('laptop')
  await button(page, 'Make a passkey').click()
  await expectToast(page, 'Second factor added')
  const [code = ''] = await codes(page)
  await button(page, 'I have kept them').click()
  await expect(row(page, 'laptop')).toContainText('Passkey')
  await expect(page.getByText('10 codes left.')).toBeVisible()

  await signOut(page)
  await begin(page, site.origin, user)
  await button(page, 'Use a passkey').click()
  await expect(heading(page, 'Second Factor')).toBeVisible()

  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  await signOut(page)
  await begin(page, site.origin, user)
  await button(page, 'Use a recovery code').click()
  await textbox(page, 'Recovery code').fill('made up')
  await button(page, 'Continue').click()
  await expect(page.getByRole('alert').filter({ hasText: 'was used before' })).toBeVisible()
  await textbox(page, 'Recovery code').fill(code)
  await page.keyboard.press('Enter')
  await expect(page.getByText('9 codes left.')).toBeVisible()

  await fromRow(page, 'laptop', 'Delete')
  await confirmButton(dialog(page, 'Delete second factor')).click()
  await expect(page.getByText('Your password alone signs you in.')).toBeVisible()
})

test('a silo requires a second factor, and a person adds an app at sign-in', async ({
  page,
  enter,
  api,
  site,
  troubles,
}) => {
  troubles.allow(/^401 POST \/v1\/login/)
  // The former address leads there.
  await enter('/access/tokens')
  await expect(page).toHaveURL(/\/access\/sign-in$/)
  const user = unique('omar')
  await api.localIdpUserCreate({
    query: { silo },
    body: { externalId: user, password: { mode: 'password', value: secret } },
  })
  await button(page, 'Require').click()
  await confirmButton(dialog(page, 'Require a second factor')).click()
  await expect(page.getByText('Required: every user needs one to sign in.')).toBeVisible()
  await signOut(page)

  await begin(page, site.origin, user)
  await expect(page.getByText('This silo requires a second factor, and you have none.')).toBeVisible()
  await textbox(page, 'Name').fill('phone')
  await button(page, 'Set up an app').click()
  const picture = page.getByRole('img', { name: 'QR code with the secret' })
  await expect(picture).toBeVisible()
  await expect(picture.locator('rect')).toHaveAttribute('fill', 'white')
  const app = new TOTP({ secret: await textbox(page, 'Secret').inputValue() })
  await textbox(page, 'Code of the app').fill(app.generate())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  await button(page, 'Continue').click()
  await expect(row(page, 'phone')).toContainText('App with codes')

  await signOut(page)
  await begin(page, site.origin, user)
  await expect(textbox(page, 'Code of the app')).toBeFocused()
  // The code of the next 30 seconds: that of now was used.
  await textbox(page, 'Code of the app').fill(app.generate({ timestamp: Date.now() + 30_000 }))
  await button(page, 'Continue').click()
  await expect(row(page, 'phone')).toContainText('App with codes')
})
