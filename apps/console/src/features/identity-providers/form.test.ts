import { hostOfSilo } from '@purlin/contract/rules/credentials/certificates'
import { describe, expect, it } from 'vitest'
import {
  emailProblem,
  emptyProvider,
  pairProblem,
  providerBody,
  providerChanges,
  standardAcsUrl,
  urlProblem,
} from './form.ts'

const file = (text: string) => new File([text], 'file')

describe('the form of an identity provider', () => {
  it('has a standard address that follows the name, at the host of the silo', () => {
    expect(standardAcsUrl('acme', 'corp', 'main.sys.example.com')).toBe(
      'https://acme.sys.example.com/login/acme/saml/corp',
    )
    expect(standardAcsUrl('acme', '', 'localhost')).toBe(
      `https://${hostOfSilo('acme', 'placeholder')}/login/acme/saml/idp-name`,
    )
  })

  it('sends metadata by address or as XML, and a key pair only if it is whole', async () => {
    const filled = {
      ...emptyProvider,
      name: 'corp',
      metadataUrl: ' https://idp.example.com/m ',
      groupAttributeName: ' ',
    }
    const body = await providerBody({ ...filled, publicCert: file('c') }, 'https://acme.example.com')
    expect(body).toEqual({
      name: 'corp',
      description: '',
      technicalContactEmail: '',
      spClientId: '',
      acsUrl: 'https://acme.example.com',
      sloUrl: '',
      idpEntityId: '',
      idpMetadataSource: { type: 'url', url: 'https://idp.example.com/m' },
    })
    const other = await providerBody(
      {
        ...filled,
        source: 'xml',
        metadataXml: file('xml'),
        publicCert: file('cert'),
        privateKey: file('key'),
        groupAttributeName: 'groups',
      },
      '',
    )
    expect(other).toMatchObject({
      idpMetadataSource: { type: 'base64_encoded_xml', data: btoa('xml') },
      signingKeypair: { publicCert: btoa('cert'), privateKey: btoa('key') },
      groupAttributeName: 'groups',
    })
  })

  it('keeps metadata and key of a provider that exists unless others are given', async () => {
    const kept = {
      ...emptyProvider,
      name: 'corp',
      source: 'keep' as const,
      metadataUrl: 'https://old.example.com',
    }
    expect(await providerChanges({ ...kept, groupAttributeName: ' ' }, 'https://acme.example.com')).toEqual({
      name: 'corp',
      description: '',
      technicalContactEmail: '',
      spClientId: '',
      acsUrl: 'https://acme.example.com',
      sloUrl: '',
      idpEntityId: '',
      groupAttributeName: '',
    })
    expect(await providerChanges({ ...kept, source: 'xml', metadataXml: file('xml') }, '')).toMatchObject({
      idpMetadataSource: { type: 'base64_encoded_xml', data: btoa('xml') },
    })
  })

  it('refuses half a key pair, and what is no address', () => {
    expect(pairProblem(null, file('key'))).toMatch(/both/)
    expect(pairProblem(null, null)).toBeUndefined()
    expect(pairProblem(file('cert'), file('key'))).toBeUndefined()
    expect(urlProblem('https://idp.example.com')).toBeUndefined()
    expect(urlProblem('idp')).toMatch(/address/)
    expect(urlProblem('javascript:alert(1)')).toMatch(/address/)
    expect(emailProblem('it@example.com')).toBeUndefined()
    expect(emailProblem('it')).toMatch(/e-mail/)
  })
})
