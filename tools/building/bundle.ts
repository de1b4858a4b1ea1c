/** Which chunks of the built console a page loads. Pure: works on Vite's manifest. */

/** The part of Vite's `.vite/manifest.json` that is read. Keys are source files. */
export type Manifest = Record<string, Chunk>
export interface Chunk {
  file: string
  name?: string
  imports?: string[]
  css?: string[]
  isEntry?: boolean
  isDynamicEntry?: boolean
}

/** A node of the console's map of addresses (apps/console/src/routes.ts); files are relative to `src`. */
export interface MapNode {
  type?: string
  id?: string | undefined
  path?: string
  file?: string | undefined
  children?: readonly MapNode[] | undefined
}

/** The route files that are on screen together with `leaf`, from the root to itself; empty if the map lacks it. */
export function routeChain(node: MapNode, leaf: string): string[] {
  const own = node.file === undefined ? [] : [`src/${node.file}`]
  if (node.file === leaf) return own
  const below = (node.children ?? []).map((child) => routeChain(child, leaf)).find(({ length }) => length > 0)
  return below ? [...own, ...below] : []
}

/** The files of `start` and everything that they import statically, at any depth. */
export function loadedFiles(manifest: Manifest, start: string[]): string[] {
  const seen = new Set<string>()
  const walk = (key: string) => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return
    seen.add(key)
    chunk.imports?.forEach(walk)
  }
  start.forEach(walk)
  return [...new Set([...seen].map((key) => manifest[key]!.file))].filter((file) => file.endsWith('.js'))
}

/** Files that a page needs only after an error. */
const NOT_AT_FIRST = /[?&]tsr-split=(errorComponent|notFoundComponent)$/

/** The keys of what a first visit to a page starts with: the entry, and the split parts of its routes. */
export function pageKeys(manifest: Manifest, chain: string[]): string[] {
  const wanted = new Set(chain)
  const isPart = (key: string) => wanted.has(key.split('?')[0]!) && !NOT_AT_FIRST.test(key)
  return Object.keys(manifest).filter((key) => manifest[key]!.isEntry || isPart(key))
}

/** The chunks that a route loads when it is visited, by source file. */
export const lazyChunks = (manifest: Manifest): [string, string][] =>
  Object.entries(manifest)
    .filter(([, chunk]) => chunk.isDynamicEntry && chunk.file.endsWith('.js'))
    .map(([key, chunk]) => [key, chunk.file])

/** An address at which a file shows a page. Parameters are written as in the map: `/disks/$disk`. */
export interface Address {
  path: string
  file: string
  isList: boolean
  /** The file only leads to another page. */
  isHome: boolean
}

const isIndex = (node: MapNode): boolean =>
  node.type === 'index' || (node.type === 'layout' && (node.children ?? []).some(isIndex))

/** The addresses of a map. A list has the address in its id. */
export function addressesOf(node: MapNode, above = ''): Address[] {
  const { file = '', children = [] } = node
  const isList = /(^|[/-])list\.tsx$/.test(file)
  const path = above + (isList && node.type === 'layout' ? `/${node.id?.slice(1)}` : (node.path ?? ''))
  const isPage = isList || node.type === 'index' || (node.type === 'route' && !children.some(isIndex))
  const isHome = file.endsWith('/home.tsx')
  const own = isPage && file !== '' ? [{ path, file, isList, isHome }] : []
  // The address of a parent layout does not begin with the list's address.
  const base = node.type === 'layout' ? above : path
  return [...own, ...children.flatMap((child) => addressesOf(child, base))]
}
