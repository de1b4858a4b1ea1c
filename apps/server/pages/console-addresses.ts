/** Which addresses are pages of the console, by the table that its build has written. */
import type { FirstLoad, Visit } from './document.ts'

/** A page for those who are signed in, or one to sign in. */
export type PageKind = 'console' | 'sign-in'

/** `/images` of `/images/web` and of `/images-new`; undefined for a path that is in no section. */
const sectionOf = (path: string): string | undefined => /^(\/[^/]+?)(?:\/|-new$)/.exec(path)?.[1]

/**
 * Which page is at a path; null for none. In a section such as `/projects` or `/lookup` the console shows every path, and
 * says that an address does not exist.
 */
export function createPageFinder(
  table: readonly Pick<FirstLoad, 'address' | 'hasFrame'>[],
  visitOf: (path: string) => Visit | null,
): (path: string) => PageKind | null {
  const framed = table.filter(({ hasFrame }) => hasFrame).map(({ address }) => address)
  const isSection = (one: string) => framed.some((other) => other === one || other.startsWith(`${one}/$`))
  const sections = new Set(framed.map(sectionOf).filter((one) => one !== undefined && isSection(one)))
  return (path) => {
    const visit = visitOf(path)
    if (visit?.hasFrame || sections.has(sectionOf(path))) return 'console'
    return visit ? 'sign-in' : null
  }
}
