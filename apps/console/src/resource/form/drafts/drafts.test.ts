import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { operations } from '@purlin/contract/operations'
import type { OpShape } from '@purlin/contract/op'
import { bare, type Node } from '@purlin/contract/schema'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setPageUser } from '#/api/session.ts'
import { serverNow } from '#/lib/clock.ts'
import { mostDrafts, longestDraft, oldestDraft } from './drafts.ts'
import { keptFields, neverKept } from './keptFields.ts'

const storage = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, text: string) => void storage.set(key, text),
  removeItem: (key: string) => void storage.delete(key),
})

/** The modules as after a load of the page. */
async function load(user = 'anna') {
  vi.resetModules()
  const session = await import('#/api/session.ts')
  session.setPageUser(user)
  return { ...(await import('./drafts.ts')), ...(await import('#/resource/kept.ts')) }
}

const vpcOf = (place: string) => ({ form: 'vpc', place })

beforeEach(() => {
  storage.clear()
  setPageUser('anna')
})

describe('drafts', () => {
  it('are found again after a reload, for the same form, place and user only', async () => {
    const { keepDraft } = await load()
    keepDraft(vpcOf('demo'), { name: 'inner', dnsName: 'in', unknown: 'x' })
    const { findDraft } = await load()
    expect(findDraft(vpcOf('demo'))?.values).toEqual({ name: 'inner', dnsName: 'in' })
    expect(findDraft(vpcOf('other'))).toBeUndefined()
    expect(findDraft({ form: 'project', place: 'demo' })).toBeUndefined()
    expect((await load('ben')).findDraft(vpcOf('demo'))).toBeUndefined()
  })

  it('are replaced by later ones, and forgotten one by one', async () => {
    const { keepDraft, findDraft, forgetDraft } = await load()
    keepDraft(vpcOf('a'), { name: 'one' })
    keepDraft(vpcOf('b'), { name: 'two' })
    keepDraft(vpcOf('a'), { name: 'three' })
    expect(findDraft(vpcOf('a'))?.values).toEqual({ name: 'three' })
    forgetDraft(vpcOf('a'))
    expect(findDraft(vpcOf('a'))).toBeUndefined()
    expect(findDraft(vpcOf('b'))?.values).toEqual({ name: 'two' })
  })

  it('are bounded in number, size and age', async () => {
    const { keepDraft, findDraft } = await load()
    for (let n = 0; n <= mostDrafts; n += 1) keepDraft(vpcOf(`p${n}`), { name: 'a' })
    expect(findDraft(vpcOf('p0'))).toBeUndefined()
    expect(findDraft(vpcOf('p1'))).toBeDefined()
    keepDraft(vpcOf('p1'), { name: 'a'.repeat(longestDraft) })
    expect(findDraft(vpcOf('p1'))?.values).toEqual({ name: 'a' })
    const old = { ...vpcOf('old'), at: serverNow() - oldestDraft, values: { name: 'a' } }
    storage.set('purlin-drafts:anna', JSON.stringify([old, { form: 'vpc' }, null]))
    expect(findDraft(vpcOf('old'))).toBeUndefined()
    keepDraft(vpcOf('new'), { name: 'a' })
    expect(storage.get('purlin-drafts:anna')).not.toContain('"old"')
  })

  it('are gone after signing out, here or in another tab, and the page that is left writes none', async () => {
    const { keepDraft, forgetWithSession } = await load()
    keepDraft(vpcOf('a'), { name: 'one' })
    const other = await load()
    other.keepDraft(vpcOf('b'), { name: 'two' })
    forgetWithSession()
    keepDraft(vpcOf('a'), { name: 'one' })
    other.keepDraft(vpcOf('b'), { name: 'two' })
    expect([...storage.keys()]).toEqual([])
  })

  it('fill only what has the same shape by now, and leave the rest as it is', async () => {
    const { filledBy } = await load()
    const file = new File(['x'], 'x')
    const values = { name: 'web', cpus: 2, disks: [], userData: file, boot: 'disk' }
    const kept = { name: 'db', cpus: null, disks: { a: 1 }, userData: 'secret', boot: 'siloImage', gone: 1 }
    const filled = filledBy(values, { form: 'instance', place: '', at: 0, values: kept })
    expect(filled).toEqual({ name: 'db', cpus: 2, disks: [], userData: file, boot: 'siloImage' })
  })
})

/** The names of the secrets in a value. */
function* secretsIn(node: Node, name: string): Generator<string> {
  const inner = bare(node)
  switch (inner.kind) {
    case 'string':
      if (inner.isSecret) yield name
      break
    case 'nullable':
      return yield* secretsIn(inner.inner, name)
    case 'array':
      return yield* secretsIn(inner.item, name)
    case 'record':
      return yield* secretsIn(inner.value, name)
    case 'object':
      for (const field of inner.fields) yield* secretsIn(field.node, field.key)
      break
    case 'union':
      for (const arm of inner.arms.values()) yield* secretsIn(arm, name)
      break
    default:
  }
}

const sources = join(import.meta.dirname, '../../..')
async function formSources(): Promise<{ file: string; text: string }[]> {
  const files = await readdir(sources, { recursive: true, withFileTypes: true })
  const paths = files
    .filter(({ name }) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map(({ name, parentPath }) => join(parentPath, name))
  return Promise.all(
    paths.map(async (path) => ({ file: relative(sources, path), text: await readFile(path, 'utf8') })),
  )
}

/** Operations whose secrets have the names of harmless fields elsewhere. No form with drafts sends them. */
const ofOtherForms = new Set([
  'currentUserSecondFactorConfirm',
  'loginSecondFactor',
  'loginSecondFactorConfirm',
  'localIdpUserCreate',
  'localIdpUserSetPassword',
])

describe('secrets', () => {
  it('of the contract are never kept, on whatever level of a form', async () => {
    const shapes: readonly (readonly [string, OpShape])[] = Object.entries(operations)
    const sent = shapes.filter(([name]) => !ofOtherForms.has(name))
    const secrets = new Set(sent.flatMap(([, { body }]) => (body ? [...secretsIn(body.node, '')] : [])))
    expect(secrets.size).toBeGreaterThan(5)
    expect([...secrets].filter((name) => !neverKept.has(name))).toEqual([])
    const { keepDraft } = await load()
    for (const form of Object.keys(keptFields)) {
      const hidden = Object.fromEntries([...secrets, ...neverKept].map((name) => [name, 'hidden-text']))
      const deep = Object.fromEntries((keptFields[form] ?? []).map((name) => [name, [{ inner: hidden }]]))
      keepDraft({ form, place: '' }, { ...hidden, ...deep })
      expect([...storage.values()].join(''), form).not.toContain('hidden-text')
      expect([...storage.values()].join(''), form).toContain(form)
    }
  })

  it('and files have no field that is kept', async () => {
    const kept = new Set(Object.values(keptFields).flat())
    expect([...kept].filter((field) => neverKept.has(field))).toEqual([])
    const { keptOf } = await load()
    const files = { name: new File(['hidden-text'], 'a'), description: new Uint8Array([1]) }
    expect(keptOf('vpc', files)).toEqual({})
  })
})

/** Forms that send something and keep no draft: all that change something, and some that create. */
const withoutDraft: Readonly<Record<string, string>> = {
  'resource/form/EditForm.tsx': 'changes a resource',
  'features/usage/prices.tsx': 'changes prices',
  'features/identity-providers/EditProvider.tsx': 'changes a resource',
  'features/silos/SiloForm.tsx': 'changes a resource',
  'features/access/roles/ChangeRole.tsx': 'changes a role',
  'features/instances/networking/EditNicForm.tsx': 'changes a resource',
  'features/firewall-rules/rules/CopyRulesDialog.tsx': 'copies rules',
  'features/settings/password.tsx': 'has passwords only',
  'features/network/settings/Editor.tsx': 'changes settings that are kept apart',
  'features/access/roles/AddRole.tsx': 'has a person of a search, and a role',
  'features/images/upload/UploadForm.tsx': 'has a file first of all, and resumes its upload',
  'features/ip-pools/FirstPool.tsx': 'has two addresses, in a dialog of another form',
}

it('every create form keeps drafts by the table', async () => {
  const without: string[] = []
  const names = new Set<string>()
  for (const { file, text } of await formSources()) {
    const heads = text
      .split(/<(?:ResourceForm|FullPageForm)\s/)
      .slice(1)
      .map((form) => form.slice(0, form.search(/\n *>\n|[^=]>\n/)))
    if (heads.some((head) => !head.includes('draft='))) without.push(file)
    for (const [, name] of text.matchAll(/<CreateForm[^>]*?kind=\{(?:kinds\.)?(\w+)\}/gs))
      names.add(name ?? '')
    for (const [, name] of text.matchAll(/draft="(\w+)"/g)) names.add(name ?? '')
    for (const [, name] of text.matchAll(/draft=\{[^}]*'(\w+)'[^}]*\}/g)) names.add(name ?? '')
    for (const [, name] of text.matchAll(/draft=\{(\w+)\.name\}/g)) names.add(name ?? '')
  }
  expect(without.toSorted()).toEqual(Object.keys(withoutDraft).toSorted())
  const renamed: Record<string, string> = { receiver: 'alertReceiver', kind: 'vpc' }
  expect([...names].map((name) => renamed[name] ?? name).filter((name) => !(name in keptFields))).toEqual([])
})
