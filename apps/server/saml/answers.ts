/**
 * Reads answers of identity providers. The library checks the signature and returns the signed bytes alone; everything
 * of the assertion is read from those. Times are compared by the control plane, with its clock.
 */
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { messageOf } from '@purlin/databases/error-codes'
import { limits } from '@purlin/contract/rules/limits'
import { type SamlAnswer, type SamlConfirmation, SamlRefused } from '@purlin/core/ports'
import { addAlgorithmsToAll, allowedAlgorithms } from './algorithms.ts'
import { attributeOf, childrenOf, elementsIn, namespaces, parseXml, within } from './xml.ts'
import { oneLine } from '../webhooks/fetching.ts'

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
addAlgorithmsToAll()

/** Throws SamlRefused. */
export async function readAnswer(response: string, certificates: readonly string[]): Promise<SamlAnswer> {
  const xml = textOf(response)
  const root = parseXml(xml)
  checkDepth(root)
  checkForm(root)
  const assertion = await signedAssertion(xml, certificates)
  return {
    destination: attributeOf(root, 'Destination'),
    inResponseTo: attributeOf(root, 'InResponseTo'),
    responseIssuer: childrenOf(root, 'assertion', 'Issuer')[0]?.textContent?.trim(),
    assertion,
  }
}

/** The XML of an answer. Comments are refused too: programs differ in which text is around one. */
function textOf(response: string): string {
  const base64 = response.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new SamlRefused('it is not base64')
  const text = decoded(Buffer.from(base64, 'base64'))
  if (text.includes('<!')) throw new SamlRefused('it has a document type, a comment or CDATA')
  if (/<\?(?!xml\s)/.test(text)) throw new SamlRefused('it has a processing instruction')
  // The check of a signature compares every element with its siblings.
  if ((text.match(/<(?!\/)/g) ?? []).length > limits.saml.elements)
    throw new SamlRefused(`it has more than ${limits.saml.elements} elements`)
  return text
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new SamlRefused('it is not UTF-8', { cause: error })
  }
}

/** Every level makes the check of a signature slower. */
function checkDepth(root: Element): void {
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.saml.depth) throw new SamlRefused(`it is more than ${limits.saml.depth} elements deep`)
    level = level.flatMap((one) => elementsIn(one))
  }
}

/** Throws SamlRefused for anything but a successful response, and for algorithms that are no longer safe. */
function checkForm(root: Element): void {
  if (root.localName !== 'Response' || root.namespaceURI !== namespaces.protocol)
    throw new SamlRefused('it is no response')
  const [status] = childrenOf(root, 'protocol', 'Status')
  const [code] = status ? childrenOf(status, 'protocol', 'StatusCode') : []
  const value = (code && attributeOf(code, 'Value')) ?? 'none'
  if (value !== success) throw new SamlRefused(`its status is ${oneLine(value)}`)
  for (const [name, allowed] of Object.entries(allowedAlgorithms))
    for (const one of within(root, 'signature', name)) {
      const algorithm = attributeOf(one, 'Algorithm') ?? 'none'
      if (!allowed.has(algorithm))
        throw new SamlRefused(`its signature has the algorithm ${oneLine(algorithm)}`)
    }
}

/** The assertion in the bytes that are signed, by the library. */
async function signedAssertion(
  xml: string,
  certificates: readonly string[],
): Promise<SamlAnswer['assertion']> {
  const saml = new SAML({
    idpCert: certificates.map((der) => pemOf(der)),
    // The library needs these and compares nothing with them: the control plane does.
    issuer: 'unused',
    callbackUrl: 'unused',
    audience: false,
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
    // One of the two must be signed.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
  })
  try {
    const { profile } = await saml.validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    })
    const signed = profile?.getAssertionXml?.()
    if (signed === undefined) throw new SamlRefused('it has no assertion')
    return assertionOf(parseXml(signed))
  } catch (error) {
    if (error instanceof SamlRefused) throw error
    throw new SamlRefused(oneLine(messageOf(error)), { cause: error })
  }
}

const pemOf = (der: string): string =>
  `-----BEGIN CERTIFICATE-----\n${der.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END CERTIFICATE-----\n`

function assertionOf(root: Element): SamlAnswer['assertion'] {
  if (root.localName !== 'Assertion' || root.namespaceURI !== namespaces.assertion)
    throw new SamlRefused('it has no assertion')
  const conditions = only(root, 'Conditions')
  const subject = only(root, 'Subject')
  const nameId = subject && only(subject, 'NameID')
  const statement = childrenOf(root, 'assertion', 'AuthnStatement')[0]
  return {
    id: attributeOf(root, 'ID') ?? '',
    issuer: only(root, 'Issuer')?.textContent?.trim(),
    issueInstant: timeIn(root, 'IssueInstant'),
    subject: nameId?.textContent?.trim(),
    confirmations: subject ? childrenOf(subject, 'assertion', 'SubjectConfirmation').map(confirmationOf) : [],
    notBefore: timeIn(conditions, 'NotBefore'),
    notOnOrAfter: timeIn(conditions, 'NotOnOrAfter'),
    audiences: conditions ? audiencesOf(conditions) : [],
    sessionNotOnOrAfter: timeIn(statement, 'SessionNotOnOrAfter'),
    attributes: attributesOf(root),
  }
}

/** The only child with a name. Throws SamlRefused for several. */
function only(element: Element, name: string): Element | undefined {
  const [found, another] = childrenOf(element, 'assertion', name)
  if (another) throw new SamlRefused(`its assertion has several of ${name}`)
  return found
}

/** ms since 1970; undefined without the attribute. Throws SamlRefused for one that is no time in UTC. */
function timeIn(element: Element | undefined, name: string): number | undefined {
  const text = element && attributeOf(element, name)
  if (text === undefined) return undefined
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/.test(text)
    ? Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
    : NaN
  if (Number.isNaN(time)) throw new SamlRefused(`its ${name} is no time`)
  return time
}

function confirmationOf(element: Element): SamlConfirmation {
  const data = only(element, 'SubjectConfirmationData')
  return {
    method: attributeOf(element, 'Method') ?? '',
    recipient: data && attributeOf(data, 'Recipient'),
    inResponseTo: data && attributeOf(data, 'InResponseTo'),
    notBefore: timeIn(data, 'NotBefore'),
    notOnOrAfter: timeIn(data, 'NotOnOrAfter'),
  }
}

const audiencesOf = (conditions: Element): string[][] =>
  childrenOf(conditions, 'assertion', 'AudienceRestriction').map((restriction) =>
    childrenOf(restriction, 'assertion', 'Audience').map((one) => one.textContent?.trim() ?? ''),
  )

const attributesOf = (root: Element): SamlAnswer['assertion']['attributes'] =>
  childrenOf(root, 'assertion', 'AttributeStatement')
    .flatMap((statement) => childrenOf(statement, 'assertion', 'Attribute'))
    .map((attribute) => ({
      name: attributeOf(attribute, 'Name') ?? '',
      values: childrenOf(attribute, 'assertion', 'AttributeValue').map((one) => one.textContent ?? ''),
    }))
