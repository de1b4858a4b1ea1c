/** The preloads in the document of each address of the console: written once after a build. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@purlin/console/routes'
import { firstLoadFile, type FirstLoad } from '@purlin/server/pages/document'
import { addressesOf, loadedFiles, type Manifest, type MapNode, pageKeys, routeChain } from './bundle.ts'

/** The file with the tree of routes: its name in `chunks.ts`. */
const treeName = 'tree'
const signIn = 'src/features/sign-in/'

/** The table of all addresses of a map. */
export function firstLoads(
  map: MapNode,
  manifest: Manifest,
  requests: Record<string, string[]>,
): FirstLoad[] {
  // A file that is missing from the manifest would not be preloaded, and only be noticed by its delay.
  const tree = Object.keys(manifest).find((key) => manifest[key]!.name === treeName)
  if (!tree) throw new Error(`The build has no file ${treeName} with the tree of routes: see chunks.ts.`)
  const named = new Set(
    loadedFiles(
      manifest,
      Object.keys(manifest).filter((key) => manifest[key]!.isEntry),
    ),
  )
  return addressesOf(map).map(({ path, file }) => {
    const address = path || '/'
    const chain = routeChain(map, file)
    const isSignIn = chain.at(-1)!.startsWith(signIn)
    const keys = [...pageKeys(manifest, chain), ...(isSignIn ? [] : [tree])]
    return {
      address,
      hasFrame: !isSignIn,
      // The document itself names those of the entry.
      files: loadedFiles(manifest, keys).filter((one) => !named.has(one)),
      requests: requests[address] ?? [],
    }
  })
}

/** Writes the table into a built console. */
export function writeFirstLoads(folder: string): void {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8'))
  const table = firstLoads(
    routes,
    read('manifest.json') as Manifest,
    read('requests.json') as Record<string, string[]>,
  )
  writeFileSync(join(folder, firstLoadFile), JSON.stringify(table))
}
