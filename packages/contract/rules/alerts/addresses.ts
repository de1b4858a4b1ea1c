/** Addresses of e-mail. */
import { limits } from '../limits.ts'
import { hostnameProblem } from '../names.ts'

const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** Characters before the @ (RFC 5321, section 4.5.3.1.1). */
const localMost = 64

/**
 * The reason why a text is no address of e-mail; undefined for one. Addresses are those that every mail server takes:
 * ASCII, without quotes, comments and a display name (the dot-atom of RFC 5322, section 3.4.1).
 */
export function emailAddressProblem(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)]
  const isAddress =
    address.length <= limits.formats.email &&
    local.length <= localMost &&
    localPart.test(local) &&
    hostnameProblem(domain) === undefined
  return isAddress ? undefined : `"${address.slice(0, 80)}" is no address such as operators@example.org`
}
