import { describe, expect, it } from 'vitest'
import { addressesFor, emptyOidc, oidcBody, oidcChanges, scopesProblem } from './form.ts'

const filled = {
  ...emptyOidc,
  name: 'corp',
  issuer: ' https://id.example.com ',
  clientId: 'us',
  clientSecret: 's',
}

describe('the form of an identity provider with OpenID Connect', () => {
  it('names the addresses at the host of the silo, or else at that of the console', () => {
    expect(
      addressesFor('acme', 'corp', {
        origin: 'https://main.sys.example.com',
        hostname: 'main.sys.example.com',
      }),
    ).toEqual({
      redirect: 'https://acme.sys.example.com/login/acme/oidc/corp/callback',
      logout: 'https://acme.sys.example.com/login/acme/oidc/corp/logout',
    })
    const { redirect } = addressesFor('acme', '', { origin: 'http://localhost:1234', hostname: 'localhost' })
    expect(redirect).toBe('http://localhost:1234/login/acme/oidc/idp-name/callback')
  })

  it('sends scopes as a list, and claims that are given', () => {
    expect(oidcBody(filled)).toEqual({
      name: 'corp',
      description: '',
      issuer: 'https://id.example.com',
      clientId: 'us',
      clientSecret: 's',
      scopes: ['openid', 'profile', 'email'],
      nameClaim: 'sub',
    })
    expect(oidcBody({ ...filled, groupsClaim: ' groups ' })).toMatchObject({ groupsClaim: 'groups' })
  })

  it('keeps secret and issuer of a provider unless others are given', () => {
    const same = oidcChanges({ ...filled, clientSecret: '' }, { issuer: 'https://id.example.com' })
    expect(same).toEqual({
      name: 'corp',
      description: '',
      clientId: 'us',
      scopes: ['openid', 'profile', 'email'],
      nameClaim: 'sub',
      groupsClaim: '',
    })
    expect(oidcChanges(filled, { issuer: 'https://old.example.com' })).toMatchObject({
      issuer: 'https://id.example.com',
      clientSecret: 's',
    })
  })

  it('refuses what are no scopes', () => {
    expect(scopesProblem('openid  groups\n')).toBeUndefined()
    expect(scopesProblem('"openid"')).toMatch(/separated/)
    expect(scopesProblem(Array.from({ length: 21 }, (_, i) => `s${i}`).join(' '))).toMatch(/At most 20/)
    expect(scopesProblem('x'.repeat(200))).toMatch(/characters/)
  })
})
