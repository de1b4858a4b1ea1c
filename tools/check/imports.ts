import { dirname, join } from 'node:path/posix'
import { parseSync } from 'oxc-parser'
import { directions, inTests, portable, without } from './directions.ts'
import { type Finding, isCode, type TextFile } from './files.ts'

/** A package of this repository: where it lies and what its `#/` stands for. */
interface Package {
  name: string
  folder: string
  alias: string
}

const TEST = /\.test\.tsx?$|\/testing\//

/** The imports of a file, as written: static and dynamic imports, and re-exports. */
export function specifiers({ path, text }: TextFile): string[] {
  const { module } = parseSync(path, text)
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.map((entry) => entry.moduleRequest?.value),
  )
  const dynamic = module.dynamicImports.map(
    ({ moduleRequest: { start, end } }) => /^(['"`])(.*)\1$/.exec(text.slice(start, end))?.[2],
  )
  const all = [...module.staticImports.map((each) => each.moduleRequest.value), ...exported, ...dynamic]
  return [...new Set(all.filter((each) => each !== undefined))]
}

/** The packages among the files. */
export function packagesOf(files: TextFile[]): Package[] {
  return files
    .filter(({ path }) => path.endsWith('/package.json'))
    .map(({ path, text }) => {
      const { name = '', imports } = JSON.parse(text) as { name?: string; imports?: Record<string, string> }
      const folder = dirname(path)
      return { name, folder, alias: join(folder, (imports?.['#/*'] ?? '').replace('*', '')) }
    })
}

/** Where a specifier leads, without its extension; undefined if it leads to a package of others. */
function target(specifier: string, path: string, packages: Package[]): string | undefined {
  const at = (to: string) => to.replace(/\.tsx?$/, '').replace(/\/$/, '')
  if (specifier.startsWith('.')) return at(join(dirname(path), specifier))
  const own = packages.find(({ folder }) => isIn(path, folder))
  if (specifier.startsWith('#/') && own) return at(join(own.alias, specifier.slice(2)))
  const ours = packages.find(({ name }) => isIn(specifier, name))
  return ours && at(ours.folder + specifier.slice(ours.name.length))
}

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** The folder that an entry of the table means for a path: `*` stands for one name. */
const folderFor = (entry: string, path: string) =>
  entry.endsWith('/*') && isIn(path, entry.slice(0, -2))
    ? path.split('/').slice(0, entry.split('/').length).join('/')
    : entry

/** The longest entry of the table that a file is or lies in, and what it may import. An entry by name comes before `*`. */
const entryOf = (file: string) => {
  const path = file.replace(/\.tsx?$/, '')
  return Object.entries(directions)
    .map(([entry, others]) => ({ entry, folder: folderFor(entry, path), others }))
    .filter(({ folder }) => isIn(path, folder))
    .toSorted((a, b) => b.folder.length - a.folder.length || b.entry.length - a.entry.length)[0]
}

/** The problem with an import, or undefined. */
export function fault(specifier: string, path: string, packages: Package[]): string | undefined {
  const isTest = TEST.test(path)
  if (specifier.startsWith('../../'))
    return 'relative imports climb one level; beyond it, write #/ or the package'
  if (specifier.startsWith('node:') && !isTest && portable.some((folder) => isIn(path, folder)))
    return 'this runs wherever fetch exists: what the platform gives comes through ports'
  const avoided = Object.entries(without).find(([folder, name]) => isIn(path, folder) && name.test(specifier))
  if (avoided) return `${avoided[0]} does without it`
  const to = target(specifier, path, packages)
  const from = entryOf(path)
  if (to === undefined || from === undefined) return undefined
  const may = [from.folder, ...from.others, ...(isTest ? inTests : [])]
  if (may.some((folder) => isIn(to, folder))) return undefined
  return `${from.folder} may import ${may.slice(1).join(', ') || 'nothing else of ours'}`
}

/** Imports follow the table of directions, and the table names nothing that is gone. */
export function checkImports(files: TextFile[]): Finding {
  const packages = packagesOf(files)
  const code = files.filter(({ path }) => isCode(path))
  const all = code.flatMap((file) => specifiers(file).map((specifier) => ({ path: file.path, specifier })))
  const wrong = all.flatMap(({ path, specifier }) => {
    const reason = fault(specifier, path, packages)
    return reason === undefined ? [] : [`${path} imports ${specifier}: ${reason}`]
  })
  const known = new Set(files.flatMap(({ path }) => prefixes(path.replace(/\.tsx?$/, ''))))
  const gone = [...new Set(Object.entries(directions).flat(2))]
    .filter((folder) => !known.has(folder.replace(/\/\*$/, '')))
    .map((folder) => `tools/check/directions.ts names ${folder}, which does not exist`)
  return {
    name: 'imports',
    said: `${all.length} imports follow ${Object.keys(directions).length} directions`,
    problems: [...wrong, ...gone],
    figures: { imports: all.length },
  }
}

/** A path and all folders above it. */
const prefixes = (path: string) => path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))
