/** Which modules of the console share a file. */
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

type Splitting = Exclude<NonNullable<Rolldown.OutputOptions['codeSplitting']>, boolean>
type Group = NonNullable<Splitting['groups']>[number]
type Modules = Parameters<Exclude<Group['name'], string>>[1]

/** The parts of a route that its page is made of; `vite.config.ts` splits routes by them. */
export const pageParts = ['loader', 'component', 'pendingComponent'] as const

const features = fileURLToPath(new URL('src/features', import.meta.url))
const page = (file: string) => `${features}/${file}.tsx?tsr-split=${pageParts.toSorted().join('---')}`

const tree = fileURLToPath(new URL('src/routeTree.gen.ts', import.meta.url))

/** Pages of a kind, what is most common first. */
const kinds = {
  frame: [page('projects/frame')],
  list: ['instances', 'disks', 'snapshots', 'floating-ips'].map((name) => page(`${name}/list`)),
  instance: [page('instances/list'), page('instances/detail')],
  form: ['disks', 'snapshots', 'floating-ips'].map((name) => page(`${name}/create`)),
}

/** Further modules of the chunk of these pages, whether all of them load it or not. */
const withPages: Record<string, RegExp> = {
  // The modules of every page but sign-in, and the operation that is called right after the page is there.
  frame:
    /console\/src\/(shell\/(auth|dialogs\/(PaletteHost|KeysHost|ToastHost))\.tsx|ui\/feedback\/SkeletonShell\.tsx|resource\/form\/useFollowName\.ts)|contract\/operations\/lists\/events\.ts|lucide-react\/.*\/arrow-left\./,
  // In the forms' file they would bring its libraries to every page with an action, or be a file each.
  list: /console\/src\/(lib\/tagTexts|resource\/actions\/toasts|ui\/table\/MoreCell)|lucide-react\/.*\/(circle-check|info|triangle-(exclamation-point|alert))\./,
  // Of the list of a project and that of all.
  instance: /console\/src\/features\/instances\/(listed|forMany)/,
  // Controls that only some forms have. Those with a search include a library.
  form: /console\/src\/ui\/(form\/(?!Combobox)|field\/(Listbox|Number|RadioGroup|MiniTable))/,
}

/**
 * Every page needs two shared files rather than forty, and pages of a kind one more: small files cost a request each
 * and compress badly. Libraries of the first load are separate, because they change less often than our own code. The
 * priority assigns a module to the first group that includes it.
 */
export const groups: Group[] = [
  { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 9 },
  { name: 'app', tags: ['$initial'], priority: 8 },
  // The sign-in form's parts, which nearly every other page has as well.
  {
    name: 'app',
    test: /console\/src\/(api\/send|ui\/(button\/Button|overlay\/(Tooltip|useFloating)|value\/Identicon|feedback\/(Spinner|toast\.)|field\/(TextField|fieldParts)))|contract\/(client|wire|schema|op|schemas\/scalar|operations\/access\/sessions)\.ts/,
    priority: 8,
  },
  ...Object.entries(kinds).map(([name, pages], index) => sharedBy(name, pages, 7 - index)),
  // A separate file, with its library.
  {
    name: 'combobox',
    test: /console\/src\/ui\/(form\/Combobox|field\/(Combobox|useCombobox|comboOptions))/,
    priority: 3,
  },
  // The tree of routes comes with every page but sign-in. It uses little of each operation.
  { ...sharedBy('tree', [tree], 2), test: /console\/src\// },
  // Modules of only a few pages and dialogs load with those.
  {
    name: 'contract',
    test: /packages\/contract\/(?!operations\/((alerts|backups|bundles|hardware|networking|schedules|updates|user-data)\/|access\/(second-factors|first-steps|scim-tokens)|silos\/(sign-in-tests|identity-providers|oidc-providers)|storage\/(image-imports|instance-snapshots|snapshot-schedules)|tasks\/tasks|vpcs\/(probes|vpc-preview|vpc-topology|vpc-trace|vpc-firewall-rules))|rules\/(alerts\/|audit\/|images\/|time\/|user-data\/|networking|snapshot-names))/,
    minShareCount: 4,
    priority: 1,
  },
]

/** The modules that each of the pages loads immediately. */
function sharedBy(name: string, pages: string[], priority: number): Group {
  let shared: Set<string> | undefined
  return {
    debugName: name,
    name: (id, modules) => {
      shared ??= pages.map((one) => loadedBy(one, modules)).reduce((some, more) => some.intersection(more))
      return shared.has(id) || withPages[name]?.test(id) ? name : null
    },
    priority,
  }
}

/** A page's modules: all that it imports, and so on, but for what it imports when it needs it. */
function loadedBy(page: string, modules: Modules): Set<string> {
  const found = new Set([page])
  // A set may grow while one walks it: what was added is walked as well.
  for (const id of found) {
    const module = modules.getModuleInfo(id)
    if (!module && id === page) throw new Error(`no module ${id}: correct the pages in chunks.ts`)
    for (const imported of module?.importedIds ?? []) found.add(imported)
  }
  return found
}
