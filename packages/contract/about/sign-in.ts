/** Sentences about sign-in with identity providers, and about the providers. */
const byBrowsers = (protocol: string) => `Browsers are led here during a sign-in with ${protocol}.`
const deletesProvider = 'Delete an identity provider. Its users stay, with their sessions.'
const readsMetadata =
  'The metadata is read now; metadata with an address is read again every day, so that new certificates count.'

export const signInSentences = {
  loginSamlBegin: `Lead the browser to an identity provider. ${byBrowsers('SAML 2.0')}`,
  loginSaml: `Sign in with the answer of an identity provider, a form with \`SAMLResponse\` and \`RelayState\`. ${byBrowsers('SAML 2.0')}`,
  loginSamlMetadata: 'Download the metadata of this service for the administrators of an identity provider.',
  loginOidcBegin: `Lead the browser to an identity provider. ${byBrowsers('OpenID Connect')}`,
  loginOidc: `Sign in with the code of an identity provider. ${byBrowsers('OpenID Connect')}`,
  loginOidcLogout: 'End the sessions that a logout token of an identity provider names (OpenID Connect).',
  identityProviderList: 'List the identity providers of a silo, of every protocol.',
  oidcIdentityProviderCreate: 'Create an identity provider with OpenID Connect, whose metadata is read.',
  oidcIdentityProviderView: 'Show an identity provider. Its client secret is never shown.',
  oidcIdentityProviderUpdate: 'Change an identity provider. With an issuer, its metadata is read again.',
  oidcIdentityProviderDelete: deletesProvider,
  signInTestBegin:
    'Begin a test of an identity provider: the address at which this browser signs in. Nothing is created by the test.',
  signInTestView:
    'Show the outcome of a test of an identity provider. Only the administrator who has begun it can, with the same session.',
  siloIdentityProviderList: 'List the identity providers of a silo with SAML 2.0.',
  samlIdentityProviderCreate: `Create an identity provider with SAML 2.0. ${readsMetadata}`,
  samlIdentityProviderView: 'Show an identity provider. Its private key is never shown.',
  samlIdentityProviderUpdate: `Change an identity provider. With a source, its metadata is read again.`,
  samlIdentityProviderDelete: deletesProvider,
} as const
