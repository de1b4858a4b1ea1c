import { describe, expect, it } from 'vitest'
import { directions } from './directions.ts'
import { checkImports, fault, packagesOf, specifiers } from './imports.ts'

const json = (name: string, imports?: object) => JSON.stringify({ name, imports })
const packages = packagesOf([
  { path: 'packages/contract/package.json', text: json('@purlin/contract') },
  { path: 'packages/core/package.json', text: json('@purlin/core', { '#/*': './*' }) },
  { path: 'apps/console/package.json', text: json('@purlin/console', { '#/*': './src/*' }) },
])
const wrong = (path: string, specifier: string) => fault(specifier, path, packages)

describe('import directions', () => {
  it('reads imports, exports from elsewhere and dynamic imports', () => {
    const text = `import a from 'a'\nexport { b } from './b.ts'\nvoid import('#/c.ts')\nimport type { D } from 'd'\n`
    expect(specifiers({ path: 'x.ts', text }).toSorted()).toEqual(['#/c.ts', './b.ts', 'a', 'd'])
  })

  it('lets a folder import what lies below it, by alias, relative path or package', () => {
    expect(wrong('packages/core/http/dispatch.ts', '#/resources/disk.ts')).toBeUndefined()
    expect(wrong('packages/core/resources/disk.ts', './layer.ts')).toBeUndefined()
    expect(wrong('apps/console/src/features/disks/list.tsx', '@purlin/contract/operations')).toBeUndefined()
    expect(wrong('apps/console/src/ui/overlay/Menu.tsx', 'react')).toBeUndefined()
  })

  it('names the folder and what it may import where an import goes back up', () => {
    expect(wrong('packages/core/resources/disk.ts', '#/loops/instances/instances.ts')).toMatch(
      /core\/resources may import/,
    )
    expect(wrong('packages/core/context.ts', './auth/access.ts')).toMatch(/core\/context may import/)
    expect(wrong('packages/contract/op.ts', '@purlin/core/ports')).toMatch(/nothing else of ours/)
    expect(wrong('apps/console/src/ui/Menu.tsx', '../features/disks/list.tsx')).toMatch(/src\/ui may import/)
    expect(wrong('apps/console/src/shell/Shell.tsx', '@purlin/core')).toMatch(/src\/shell may import/)
    expect(wrong('apps/console/src/features/disks/list.tsx', '#/features/instances/list.tsx')).toBeDefined()
    expect(wrong('apps/console/src/features/ssh-keys/list.tsx', '#/features/disks/list.tsx')).toMatch(
      /features\/ssh-keys may import/,
    )
  })

  it('refuses long climbs, the platform in portable code, and packages that a folder does without', () => {
    expect(wrong('packages/core/resources/disk.ts', '../../contract/op.ts')).toMatch(/climb one level/)
    expect(wrong('packages/core/resources/disk.ts', 'node:fs')).toMatch(/ports/)
    expect(wrong('packages/core/resources/disk.test.ts', 'node:fs')).toBeUndefined()
    expect(wrong('apps/console/src/ui/overlay/Menu.tsx', '@tanstack/react-query')).toMatch(/does without/)
  })

  it('lets a step of the schema import the query builder and its own folder alone', () => {
    const step = 'packages/core/db/migrations/0020-to-0029.ts'
    expect(wrong(step, './step.ts')).toBeUndefined()
    expect(wrong(step, 'kysely')).toBeUndefined()
    expect(wrong(step, 'ipaddr.js')).toMatch(/does without/)
    for (const living of ['../kinds.ts', '#/db/tables.ts', '#/concurrency/together.ts'])
      expect(wrong(step, living)).toMatch(/nothing else of ours/)
    expect(wrong(step, '@purlin/contract/rules/lists')).toMatch(/nothing else of ours/)
  })

  it('lets tests use the real control plane', () => {
    expect(wrong('apps/console/src/api/query.test.ts', '#/preview/plane.ts')).toBeUndefined()
    expect(wrong('apps/console/src/api/query.ts', '#/preview/plane.ts')).toBeDefined()
  })

  it('has no circle of folders', () => {
    const folders = Object.keys(directions)
    // A file or folder without an entry counts as the folder around it, so that naming it hides no circle.
    const around = (path: string) =>
      folders
        .filter((folder) => path === folder || path.startsWith(`${folder}/`))
        .toSorted((a, b) => b.length - a.length)
        .slice(0, 1)
    const below = (folder: string) => (directions[folder] ?? []).flatMap(around)
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      below(from).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))))
    expect(folders.filter((folder) => reaches(folder, folder))).toEqual([])
  })

  it('finds entries that name nothing', () => {
    expect(checkImports([]).problems).toContain(
      'tools/check/directions.ts names packages/contract, which does not exist',
    )
  })
})
