/** Parses XML of identity providers, of which only harmless forms are accepted. */
import { oneLine } from '../webhooks/fetching.ts'
import { DOMParser } from '@xmldom/xmldom'
import { SamlRefused } from '@purlin/core/ports'

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const
export type Namespace = keyof typeof namespaces

/**
 * The root of a document. Document types are refused before anything is parsed, so that there are no entities but those
 * of XML itself. Throws SamlRefused.
 */
export function parseXml(text: string): Element {
  if (/<!(?!--|\[CDATA\[)/.test(text)) throw new SamlRefused('it has a document type')
  // An XML parser may warn and guess.
  const stop = (message: string) => {
    throw new SamlRefused(`it is no XML: ${oneLine(message)}`)
  }
  const errorHandler = { warning: stop, error: stop, fatalError: stop }
  const root = parsed(() => new DOMParser({ errorHandler }).parseFromString(text, 'text/xml'))
  if (!root) throw new SamlRefused('it is no XML')
  return root
}

function parsed(parse: () => Document | undefined): Element | null | undefined {
  try {
    return parse()?.documentElement
  } catch (error) {
    if (error instanceof SamlRefused) throw error
    throw new SamlRefused('it is no XML', { cause: error })
  }
}

/** The children of an element that are elements. */
export const elementsIn = (element: Element): Element[] =>
  Array.from(element.childNodes).filter((node): node is Element => node.nodeType === element.ELEMENT_NODE)

/** Those with a name. */
export const childrenOf = (element: Element, namespace: Namespace, name: string): Element[] =>
  elementsIn(element).filter(
    ({ localName, namespaceURI }) => localName === name && namespaceURI === namespaces[namespace],
  )

/** The elements anywhere within another one, with a name. */
export const within = (element: Element, namespace: Namespace, name: string): Element[] =>
  Array.from(element.getElementsByTagNameNS(namespaces[namespace], name))

/** An attribute; undefined without it. */
export const attributeOf = (element: Element, name: string): string | undefined =>
  element.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined
