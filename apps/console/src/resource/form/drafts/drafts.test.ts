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

describe('the draft of a change', () => {
  const first = { name: 'web', description: 'one', tags: '' }

  it('has the fields that differ from the present ones', async () => {
    const { differing, filledBy } = await load()
    const kept = differing('vpc', { ...first, description: 'two' }, first)
    expect(kept).toEqual({ description: 'two' })
    // A name that has been changed elsewhere stays.
    const draft = { form: 'vpc', place: '', at: 0, values: kept }
    expect(filledBy({ ...first, name: 'db' }, draft)).toEqual({ ...first, name: 'db', description: 'two' })
  })

  it('is none once the resource has its values', async () => {
    const { changes } = await load()
    const draft = { form: 'vpc', place: '', at: 0, values: { description: 'two', gone: 1 } }
    expect(changes(first, draft)).toBe(true)
    expect(changes({ ...first, description: 'two' }, draft)).toBe(false)
    expect(changes({ mtu: 1500 }, draft)).toBe(false)
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

/** Operations whose secrets have the names of harmless fields elsewhere. In forms with drafts they are called passwords. */
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

  it('in rows are left out with their names, and rows without one have it blank', async () => {
    const { keepDraft, findDraft, filledBy, leftOutOf } = await load()
    const peers = [
      { addr: '1.1.1.1', md5AuthKey: 'hidden-text' },
      { addr: '1.1.1.2', md5AuthKey: '' },
    ]
    const of = { form: 'portSettings', place: '' }
    keepDraft(of, { name: 'up', peers })
    const draft = findDraft(of)
    const empty = { name: '', peers: [] }
    expect(draft && filledBy(empty, draft)).toEqual({
      name: 'up',
      peers: [{ addr: '1.1.1.1' }, { addr: '1.1.1.2', md5AuthKey: '' }],
    })
    expect(leftOutOf('portSettings', empty, draft)).toEqual(['MD5 key'])
    keepDraft(of, { name: 'up', peers: peers.slice(1) })
    expect(leftOutOf('portSettings', empty, findDraft(of))).toEqual([])
  })

  it('and files have no field that is kept', async () => {
    const kept = new Set(Object.values(keptFields).flat())
    expect([...kept].filter((field) => neverKept.has(field))).toEqual([])
    const { keptOf } = await load()
    const files = { name: new File(['hidden-text'], 'a'), description: new Uint8Array([1]) }
    expect(keptOf('vpc', files)).toEqual({})
  })
})

/** One choice or one text is entered again sooner than a draft is read. */
const oneField = [
  'resource/list/views/ViewsDialog.tsx',
  'features/access/people/GroupDialogs.tsx',
  'features/access/sign-in.tsx',
  'features/affinity-groups/AddMemberDialog.tsx',
  'features/alerts/receivers/Subscriptions.tsx',
  'features/disks/AttachDiskDialog.tsx',
  'features/disks/attaching/AttachToInstanceDialog.tsx',
  'features/disks/GrowDialog.tsx',
  'features/disks/RollBackForm.tsx',
  'features/floating-ips/AttachFloatingIpDialog.tsx',
  'features/floating-ips/AttachToInstanceDialog.tsx',
  'features/hardware/change/ReviewChange.tsx',
  'features/hardware/hosts/AddHost.tsx',
  'features/hardware/maintenance/StartMaintenance.tsx',
  'features/images/PromoteDialog.tsx',
  'features/images/moveDialogs.tsx',
  'features/instances/networking/AttachEphemeralIpDialog.tsx',
  'features/instances/settings/AntiAffinityCard.tsx',
  'features/network/settings/ApplySettings.tsx',
  'features/second-factor/RenameDialog.tsx',
  'features/support-bundles/CommentForm.tsx',
  'resource/tags/TagsDialog.tsx',
]

/** Forms that keep no draft. */
const withoutDraft: Readonly<Record<string, string>> = {
  'features/silos/SiloForm.tsx': 'has the draft that its user names',
  'features/access/roles/ChangeRole.tsx': 'changes a role',
  'features/firewall-rules/rules/CopyRulesDialog.tsx': 'copies rules',
  'features/settings/password.tsx': 'has passwords only',
  'features/access/roles/AddRole.tsx': 'has a person of a search, and a role',
  'features/user-data-templates/FillTemplate.tsx': 'has values that may be secrets, and sends nothing',
  'features/ip-pools/FirstPool.tsx': 'has two addresses, in a dialog of another form',
  'features/access/people/LocalUserDialogs.tsx': 'has a password only, in its second form',
  'features/alerts/receivers/Secrets.tsx': 'has a secret only',
  'features/network/bgp/AnnounceSetForm.tsx': 'adds a row to the form before it, in its second form',
  'features/network/lots/AddBlock.tsx': 'has two addresses',
  'features/network/settings/Editor.tsx': 'fills the form before it, in its second form',
  'features/network/sources/ChangeSources.tsx': 'has one field, in its second form',
  'features/silos/TlsCertificates.tsx': 'adds a certificate with its key to the form before it',
  'features/update/AddTrustRoot.tsx': 'has a file',
  'resource/actions/TaskForm.tsx': 'is about rows that are selected now',
  'resource/form/RowDialog.tsx': 'changes a row of the form before it',
}

it('every form with several fields keeps drafts by the table', async () => {
  const without: string[] = []
  const names = new Set<string>()
  for (const { file, text } of await formSources()) {
    const heads = text
      .split(/<(?:ResourceForm|FullPageForm|ModalForm)\s/)
      .slice(1)
      .map((form) => form.slice(0, form.search(/\n *>\n|[^=]>\n/)))
    if (heads.some((head) => !head.includes('draft='))) without.push(file)
    for (const [, name] of text.matchAll(/<CreateForm[^>]*?kind=\{(?:kinds\.)?(\w+)\}/gs))
      names.add(name ?? '')
    for (const [, name] of text.matchAll(/draft="(\w+)"/g)) names.add(name ?? '')
    for (const [, name] of text.matchAll(/draft=\{[^}]*'(\w+)'[^}]*\}/g)) names.add(name ?? '')
    for (const [, name] of text.matchAll(/draft=\{(\w+)\.name\}/g)) names.add(name ?? '')
  }
  expect(without.toSorted()).toEqual([...Object.keys(withoutDraft), ...oneField].toSorted())
  const renamed: Record<string, string> = { receiver: 'alertReceiver', kind: 'vpc' }
  expect([...names].map((name) => renamed[name] ?? name).filter((name) => !(name in keptFields))).toEqual([])
})
