import { nameMaxLength } from '@purlin/contract/rules/names'

const SUFFIX = 6

/** Six random hex digits. */
export const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(SUFFIX / 2)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

// The longest part gives way first, so that a short part is never lost to a long neighbour.
const fit = (parts: string[], room: number): string[] => {
  const kept = [...parts]
  while (kept.join('-').length > room) {
    const longest = kept.reduce((best, part, i) => (part.length > (kept[best]?.length ?? 0) ? i : best), 0)
    kept[longest] = (kept[longest] ?? '').slice(0, -1)
  }
  return kept.map((part) => part.replace(/-+$/, ''))
}

/** A new resource name from the parts given and six random hex digits, at most `most` characters long. */
export const generateName = (
  parts: readonly string[],
  hex: () => string = randomHex,
  most: number = nameMaxLength,
): string => {
  const given = parts.filter((part) => part !== '')
  return [...fit(given, most - SUFFIX - 1), hex()].join('-')
}

/** The name that a copy of something is offered. */
export const copyName = (name: string): string => fit([name, 'copy'], nameMaxLength).join('-')
