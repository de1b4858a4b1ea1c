import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openWorld, type TestWorld } from '@purlin/core/testing/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { findPysaml2 } from '../testing/pysaml2.ts'
import { base64, newProvider, onCurve, type TestProvider } from '../testing/saml-provider.ts'
import { readMetadata } from './metadata.ts'
import { createSaml } from './saml.ts'

const script = fileURLToPath(new URL('../testing/provider.py', import.meta.url))
const python = findPysaml2() ?? ''
const at = '/login/acme/saml/corp'
const folder = mkdtempSync(join(tmpdir(), 'purlin-idp-'))
const run = (...words: string[]) => execFileSync(python, [script, folder, ...words], { encoding: 'utf8' })

// `npm test` installs it, or says why not.
describe.skipIf(lacks(python === '' && 'install python3-pysaml2'))('an identity provider of pysaml2', () => {
  let w: TestWorld
  beforeAll(async () => {
    w = await openWorld({ saml: createSaml({ refused: [], allowed: [] }) })
    await setMode('saml_jit')
    const own = newProvider()
    useKey(newProvider())
    const body = {
      name: 'corp',
      description: '',
      idpEntityId: 'https://idp.example.org',
      spClientId: 'https://purlin.example.org',
      acsUrl: `https://acme.sys.example.org${at}`,
      sloUrl: '',
      technicalContactEmail: '',
      groupAttributeName: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.1',
      idpMetadataSource: { type: 'base64_encoded_xml' as const, data: base64(run('metadata')) },
      signingKeypair: {
        publicCert: own.certificate,
        privateKey: own.key.replaceAll(/-----.*-----|\s/g, ''),
      },
    }
    await w.as('admin').samlIdentityProviderCreate({ query: { silo: 'acme' }, body })
    writeFileSync(join(folder, 'service.xml'), (await w.raw({ url: `${at}/metadata` })).text)
    // The provider has the clock of this machine.
    await w.jump(Date.now() - w.clock.now())
  })
  afterAll(async () => {
    await w.close()
    rmSync(folder, { recursive: true })
  })

  /** The provider signs with a key from now on. */
  function useKey({ key, certificate }: TestProvider) {
    writeFileSync(join(folder, 'key.pem'), key)
    writeFileSync(
      join(folder, 'cert.pem'),
      `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    )
  }
  const setMode = (identityMode: 'saml_jit') =>
    w.world.engine.transaction('write', (tx) =>
      tx.updateTable('silo').set({ identityMode }).where('name', '=', 'acme').execute(),
    )
  const cookieIn = (cookies: readonly string[], name: string) =>
    cookies.find((one) => one.startsWith(`${name}=`))?.split(';', 1)[0] ?? ''

  /** Asks as a browser does, and returns what the provider has it send. */
  async function ask(...how: string[]) {
    const asked = await w.raw({ url: `${at}/redirect?redirect_uri=/images` })
    const form = JSON.parse(run('answer', asked.headers['location'] ?? '', ...how)) as {
      response: string
      relayState: string
    }
    return { ...form, cookie: cookieIn(asked.cookies, 'asked') }
  }
  const post = ({ response, relayState, cookie }: Awaited<ReturnType<typeof ask>>) =>
    w.raw({
      method: 'POST',
      url: at,
      headers: { cookie },
      body: new URLSearchParams({ SAMLResponse: base64(response), RelayState: relayState }).toString(),
    })

  it.each([
    ['a signed assertion', []] as const,
    ['a signed response', ['whole']] as const,
    ['a key on P-384', ['curve']] as const,
  ])('accepts our signed request, and signs a user in with %s, once and as it is', async (_, how) => {
    if (how[0] === 'curve') {
      useKey(newProvider(onCurve('P-384')))
      const { certificates } = readMetadata(run('metadata'), 'https://idp.example.org')
      const certificatesJson = JSON.stringify(certificates)
      await w.world.engine.transaction('write', (tx) =>
        tx.updateTable('samlProvider').set({ certificatesJson }).execute(),
      )
    }
    const asked = await ask(...how)
    const changed = asked.response.replaceAll('ann@example.org', 'admin@example.org')
    const refused = (reason: string) => ({
      status: 400,
      json: { message: expect.stringContaining(reason) as string },
    })
    expect(await post({ ...asked, response: changed })).toMatchObject(refused('Invalid signature'))
    const answer = await post(asked)
    expect([answer.status, answer.headers['location'], answer.text]).toEqual([303, '/images', ''])
    const cookie = cookieIn(answer.cookies, 'session')
    const me = await w.raw({ url: '/v1/me', headers: { cookie } })
    expect(me.json).toMatchObject({ display_name: 'ann@example.org' })
    const groups = await w.raw({ url: '/v1/me/groups', headers: { cookie } })
    const names = (groups.json as { items: { display_name: string }[] }).items.map((one) => one.display_name)
    expect(names.toSorted()).toEqual(['admins', 'dev', 'ops'])
    expect(await post(asked)).toMatchObject(refused('used before'))
  })
})
