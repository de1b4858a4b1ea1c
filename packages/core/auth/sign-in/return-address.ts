/** The address to return to after a sign-in, as it travels to an identity provider and back. */
import { limits } from '@purlin/contract/rules/limits'
import { toBase64 } from '@purlin/contract/wire'
import { bytesOf, decodeBase64, utf8 } from '#/bytes.ts'
import { fault } from '#/faults.ts'
import { checkRelative } from './sign-in-address.ts'

/** Text that carries an address, if there is one, in base64. */
export const relayStateOf = (back: string | undefined): string =>
  toBase64(bytesOf(JSON.stringify(back === undefined ? {} : { redirect_uri: back })))

/** Text that says which request of a test an answer is to, also if the answer itself cannot be read. */
export const relayStateOfTest = (requestId: string): string =>
  toBase64(bytesOf(JSON.stringify({ test: requestId })))

/** The request of a test that a relay state names. */
export function testedRequest(relayState: string | undefined): string | undefined {
  const id = fieldIn(relayState ?? '', 'test')
  return typeof id === 'string' ? id : undefined
}

/** The address that a relay state names. Providers may send their own, which names none. Throws 400 for one of another site. */
export function returnAddress(relayState: string | undefined): string | undefined {
  const uri = fieldIn(relayState ?? '', 'redirect_uri')
  if (uri === undefined || uri === null || uri === '') return undefined
  if (typeof uri !== 'string' || uri.length > limits.saml.returnTo)
    throw fault.refusedAnswer('the relay state is too long')
  checkRelative(uri)
  return uri
}

function fieldIn(relayState: string, name: 'redirect_uri' | 'test'): unknown {
  try {
    const state: unknown = JSON.parse(utf8(decodeBase64(bytesOf(relayState))))
    return typeof state === 'object' && state !== null ? Reflect.get(state, name) : undefined
  } catch {
    return undefined
  }
}
