/** All supported runtimes have TextEncoder, but the library of the language does not declare it. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

const encoder = new TextEncoder()

/** Text as UTF-8. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** Concatenates arrays. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
