import { heading } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

test('the root page forbids what the console does not need', async ({ page, enter, site, sessions }) => {
  await enter('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  const session = sessions.get('hanna-okafor')
  const response = await fetch(`${site.origin}/`, { headers: { cookie: `session=${session}` } })
  const header = (name: string) => response.headers.get(name) ?? ''
  const policy = header('content-security-policy').split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "frame-src 'none'",
      "object-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]),
  )
  expect(policy.find((rule) => rule.startsWith('script-src')) ?? '').not.toContain('unsafe')
  expect(header('x-content-type-options')).toBe('nosniff')
  expect(header('x-frame-options')).toBe('DENY')
})

test('no page breaks its own policy or asks another host', async ({ page, enter, site }) => {
  const abroad: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(site.origin) && !/^(data|blob):/.test(url)) abroad.push(url)
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy broken: ${event.violatedDirective} ${event.blockedURI}`),
    )
  })
  for (const path of [
    '/projects',
    '/projects/storefront/instances/shop-a/serial-console',
    '/projects/storefront/instances/shop-a/screen',
    '/projects/storefront/instances-new',
  ]) {
    await enter(path)
    await page.waitForLoadState('networkidle')
  }
  expect(abroad).toEqual([])
})

test('the session cookie is out of reach for scripts', async ({ page, enter, context }) => {
  await enter('/projects')
  const cookie = (await context.cookies()).find(({ name }) => name === 'session')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  expect(await page.evaluate(() => document.cookie)).toBe('')
})
