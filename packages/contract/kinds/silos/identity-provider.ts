import { kind } from '../kind.ts'

export const identityProvider = kind({
  noun: 'identity provider',
  type: 'identity-provider',
  field: 'provider',
  parent: 'silo',
  scope: 'namedSilo',
  counts: { silo: 16 },
  // Of both protocols. Values of certificates are long, and those of secrets stay secret.
  recorded: {
    sign_on_address: { field: 'signOnUrl' },
    entity_id: { field: 'entityId' },
    client_id_of_service: { field: 'serviceEntityId' },
    acs_url: { field: 'acsUrl' },
    slo_url: { field: 'sloUrl' },
    certificates: { field: 'certificatesJson', isHidden: true },
    signing_key: { field: 'publicCert', isHidden: true },
    group_attribute: { field: 'groupAttribute' },
    technical_contact: { field: 'contactEmail' },
    issuer: { field: 'issuer' },
    client_id: { field: 'clientId' },
    client_secret: { field: 'clientSecret', isHidden: true },
    scopes: { field: 'scopesJson', isList: true },
    name_claim: { field: 'nameClaim' },
    groups_claim: { field: 'groupsClaim' },
  },
})
