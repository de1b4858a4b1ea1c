/** The text with its first letter in upper case: 'boot disk' becomes 'Boot disk'. */
export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

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

/** The text cut to a length, the cut marked by '…' at the end or in the middle. */
export const shorten = (text: string, max: number, at: 'end' | 'middle' = 'end'): string => {
  if (text.length <= max) return text
  if (at === 'end') return `${text.slice(0, Math.max(1, max - 2))}…`
  const kept = Math.max(2, max - 1)
  return `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`
}

/** Class names joined by spaces, the absent ones left out. */
export const cx = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')
