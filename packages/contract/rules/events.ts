/** How clients and servers detect that an answer has changed. */

/** The media type of server-sent events. */
export const eventStreamType = 'text/event-stream'

/** 53 bits of a text in base 36: not cryptographic, spread evenly (cyrb53). */
export function digestOf(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}

/** The id of an event: the digests of the answers of all scopes, in their order. One that is unknown is empty. */
export const eventIdOf = (digests: readonly string[]): string => digests.join('.')

/** The digests in an id. */
export const digestsOf = (eventId: string): readonly string[] => eventId.split('.')
