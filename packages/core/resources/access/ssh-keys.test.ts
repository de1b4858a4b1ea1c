import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOnqPq0Bx62s1zG+kKN9dXpYrX5HbeYXI5591UAt47sZ me@laptop'
const allUsers: Who[] = [
  'admin',
  'collaborator',
  'viewer',
  'noRole',
  'projectAdmin',
  'projectCollaborator',
  'projectViewer',
  'fleetAdmin',
  'stranger',
]

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
afterAll(() => w.close())

const add = (who: Who, name: string, more: Partial<{ description: string; publicKey: string }> = {}) =>
  w.as(who).currentUserSshKeyCreate({ body: { name, description: '', publicKey, ...more } })
const names = async (who: Who) =>
  (await w.as(who).currentUserSshKeyList({ query: {} })).items.map((key) => key.name)

describe('own SSH keys', () => {
  it.each(allUsers)('%s adds, lists, shows and deletes an own key', async (who) => {
    const key = await add(who, 'laptop', { description: 'at home' })
    expect(key).toMatchObject({ name: 'laptop', description: 'at home', publicKey, siloUserId: w.ids[who] })
    expect(key.timeCreated).toEqual(new Date(w.clock.now()))
    expect(await w.as(who).currentUserSshKeyList({ query: {} })).toEqual({ items: [key], nextPage: null })
    expect(await w.as(who).currentUserSshKeyView({ params: { sshKey: 'laptop' } })).toEqual(key)
    expect(await w.as(who).currentUserSshKeyView({ params: { sshKey: key.id.toUpperCase() } })).toEqual(key)
    await w.as(who).currentUserSshKeyDelete({ params: { sshKey: key.id } })
    expect(await names(who)).toEqual([])
  })

  it('without a session there are no keys: 401', async () => {
    const { anonymous } = w
    const body = { name: 'a', description: '', publicKey }
    const params = { sshKey: 'a' }
    await expect(anonymous.currentUserSshKeyList({ query: {} })).rejects.toMatchObject({ status: 401 })
    await expect(anonymous.currentUserSshKeyCreate({ body })).rejects.toMatchObject({ status: 401 })
    await expect(anonymous.currentUserSshKeyView({ params })).rejects.toMatchObject({ status: 401 })
    await expect(anonymous.currentUserSshKeyDelete({ params })).rejects.toMatchObject({ status: 401 })
  })

  it("another user's key is not found, not even by an admin", async () => {
    const { id } = await add('viewer', 'private')
    for (const who of ['admin', 'fleetAdmin', 'stranger'] as const) {
      const byId = { params: { sshKey: id } }
      const message = `not found: ssh-key with id "${id}"`
      await expect(w.as(who).currentUserSshKeyView(byId)).rejects.toMatchObject({ status: 404, message })
      await expect(w.as(who).currentUserSshKeyDelete(byId)).rejects.toMatchObject({ status: 404, message })
      const byName = w.as(who).currentUserSshKeyView({ params: { sshKey: 'private' } })
      await expect(byName).rejects.toMatchObject({
        status: 404,
        message: 'not found: ssh-key with name "private"',
      })
      expect(await names(who)).toEqual([])
    }
    expect(await names('viewer')).toEqual(['private'])
  })

  it('names are unique per user, and free again after a delete', async () => {
    await add('collaborator', 'same')
    await add('projectViewer', 'same')
    const again = { status: 400, code: 'ObjectAlreadyExists', message: 'already exists: ssh-key "same"' }
    await expect(add('collaborator', 'same')).rejects.toMatchObject(again)
    await w.as('collaborator').currentUserSshKeyDelete({ params: { sshKey: 'same' } })
    await add('collaborator', 'same')
    expect(await names('projectViewer')).toEqual(['same'])
  })

  it('lists page by name', async () => {
    for (const name of ['c', 'a', 'b']) await add('projectAdmin', name)
    const first = await w.as('projectAdmin').currentUserSshKeyList({ query: { limit: 2 } })
    expect(first.items.map((key) => key.name)).toEqual(['a', 'b'])
    const rest = await w
      .as('projectAdmin')
      .currentUserSshKeyList({ query: { limit: 2, pageToken: first.nextPage ?? '' } })
    expect(rest.items.map((key) => key.name)).toEqual(['c'])
    expect(rest.nextPage).toBeNull()
  })

  // The library of SQLite as WebAssembly drops a byte order mark when it reads a text.
  const keepsMark = process.env['PURLIN_TEST_ENGINE'] !== 'wasm'
  it.each([
    ['a line end', `${publicKey}\n`],
    ['a line end of Windows', `${publicKey}\r\n`],
    ['blanks around it', ` \t${publicKey}  `],
    ...(keepsMark ? [['a byte order mark', `\uFEFF${publicKey}\n`]] : []),
    ['1023 characters and a line end', `${publicKey.padEnd(1023, 'c')}\n`],
  ])('a key with %s is answered as it was sent', async (_, text) => {
    const created = await add('noRole', 'pasted', { publicKey: text })
    expect(created.publicKey).toBe(text)
    expect(await w.as('noRole').currentUserSshKeyView({ params: { sshKey: 'pasted' } })).toEqual(created)
    await w.as('noRole').currentUserSshKeyDelete({ params: { sshKey: 'pasted' } })
  })

  it.each([
    ['no key at all', 'hello', /^unsupported value for "public_key": a public key begins with its type/],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----', /this is a private key/],
    ['a key of another type than it says', publicKey.replace('ssh-ed25519', 'ssh-rsa'), /of another type/],
    ['a key of 1024 characters', publicKey.padEnd(1024, 'c'), /at most 1023 characters, this one has 1024/],
  ])('%s is refused', async (_, text, message) => {
    const refused = { status: 400, code: 'InvalidValue', message: expect.stringMatching(message) as string }
    await expect(add('noRole', 'bad', { publicKey: text })).rejects.toMatchObject(refused)
    expect(await names('noRole')).not.toContain('bad')
  })

  it('a description of 513 characters is refused', async () => {
    await expect(add('noRole', 'bad', { description: 'd'.repeat(513) })).rejects.toMatchObject({
      status: 400,
      code: 'InvalidValue',
    })
  })

  it('the name of a key obeys the grammar of names', async () => {
    await expect(add('noRole', 'Bad')).rejects.toMatchObject({ status: 400 })
    await expect(w.as('noRole').currentUserSshKeyView({ params: { sshKey: '-' } })).rejects.toMatchObject({
      status: 400,
    })
  })
})

const instance = (name: string, sshPublicKeys?: string[] | null) => ({
  query: { project: 'demo' },
  body: {
    name,
    description: '',
    ncpus: 1,
    memory: 2 ** 30,
    hostname: name,
    start: false,
    networkInterfaces: { type: 'none' as const },
    ...(sshPublicKeys === undefined ? {} : { sshPublicKeys }),
  },
})
const keysOf = async (name: string) => {
  const target = { params: { instance: name }, query: { project: 'demo' } }
  return (await w.as('admin').instanceSshPublicKeyList(target)).items.map((key) => key.name)
}

describe('SSH keys of a new instance', () => {
  let byId = ''
  beforeAll(async () => {
    byId = (await add('admin', 'one')).id
    await add('admin', 'two')
  })

  it('all keys of its creator, unless others are named', async () => {
    await w.as('admin').instanceCreate(instance('all'))
    expect(await keysOf('all')).toEqual(['one', 'two'])
    await w.as('admin').instanceCreate(instance('null', null))
    expect(await keysOf('null')).toEqual(['one', 'two'])
  })

  it('an empty list means none', async () => {
    await w.as('admin').instanceCreate(instance('none', []))
    expect(await keysOf('none')).toEqual([])
  })

  it('keys are given by name or id; one given twice is attached once', async () => {
    await w.as('admin').instanceCreate(instance('some', ['one', byId, byId.toUpperCase()]))
    expect(await keysOf('some')).toEqual(['one'])
  })

  it('unknown keys and those of others are not found', async () => {
    const { id } = await add('projectCollaborator', 'foreign')
    for (const key of ['foreign', id])
      await expect(w.as('admin').instanceCreate(instance('unknown', [key]))).rejects.toMatchObject({
        status: 404,
        message: `not found: ssh-key with ${key === id ? 'id' : 'name'} "${key}"`,
      })
  })

  it('more than 100 keys are refused, named or not', async () => {
    const refused = { status: 400, message: 'cannot attach more than 100 ssh keys to the instance' }
    const named = Array.from({ length: 101 }, () => 'one')
    await expect(w.as('admin').instanceCreate(instance('many', named))).rejects.toMatchObject(refused)
    for (let i = 0; i < 99; i++) await add('admin', `more-${i}`)
    await expect(w.as('admin').instanceCreate(instance('many'))).rejects.toMatchObject(refused)
    await w.as('admin').currentUserSshKeyDelete({ params: { sshKey: 'more-0' } })
    await w.as('admin').instanceCreate(instance('many'))
  })

  it('a deleted key is removed from instances', async () => {
    await w.as('admin').currentUserSshKeyDelete({ params: { sshKey: 'one' } })
    expect(await keysOf('all')).toEqual(['two'])
    const links = await w.world.engine.transaction('read', (tx) =>
      tx.selectFrom('instanceSshKey').selectAll().where('sshKeyId', '=', byId).execute(),
    )
    expect(links).toEqual([])
  })
})
