/** The text with its first letter in upper case: 'boot disk' becomes 'Boot disk'. */
export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A title within a sentence: 'Floating IPs' becomes 'floating IPs'. */
export const inSentence = (title: string): string =>
  title.replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())

/** 'a disk', 'an instance' */
export const withArticle = (noun: string): string => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`

/** A readable label made from a camelCase field name: 'siloName' becomes 'Silo name'. */
export const labelOf = (field: string): string => {
  const last = field.split('.').at(-1) ?? field
  return capitalize(
    last.replaceAll(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`),
  )
}

const squeeze = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, '')

/** Whether the query occurs in the text when case and spaces are ignored. */
export const matchesLoosely = (text: string, query: string): boolean => squeeze(text).includes(squeeze(query))

/** The first characters of a text: code points, as the server counts them. */
export const firstOf = (text: string, count: number): string =>
  text.length <= count ? text : Array.from(text).slice(0, count).join('')

/** The text cut to a number of code points, the cut marked by '…' at the end or in the middle. */
export const shorten = (text: string, max: number, at: 'end' | 'middle' = 'end'): string => {
  const characters = Array.from(text)
  if (characters.length <= max) return text
  const part = (from: number, to?: number) => characters.slice(from, to).join('')
  if (at === 'end') return `${part(0, Math.max(1, max - 2))}…`
  const kept = Math.max(2, max - 1)
  return `${part(0, Math.ceil(kept / 2))}…${part(characters.length - Math.floor(kept / 2))}`
}

/** Ids in lists and crumbs are as short as the crumbs of the specification. */
const shortLength = 12
export const shortId = (id: string): string => shorten(id, shortLength, 'middle')

/** Class names joined by spaces, the absent ones left out. */
export const cx = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')
