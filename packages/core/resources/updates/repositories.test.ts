/** System updates through the API, with repositories that another implementation of TUF has made. */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemoryFiles } from '@purlin/databases/files/in-memory'
import { StorageFull, type StoredFiles } from '#/ports.ts'
import { rootDocument, updateFixture, updateFixtures } from '#/testing/updates/fixtures.ts'
import { openWorld, sha256, type RawResponse, type TestWorld, type Who } from '#/testing/world.ts'

const root = '/v1/system/update'
const bytes = { 'content-type': 'application/octet-stream' }
const day = 24 * 3_600_000

let world: TestWorld
let files: StoredFiles
beforeEach(async () => {
  files = createMemoryFiles()
  world = await openWorld({ sha256, updates: { files } })
})
afterEach(async () => {
  await world.close()
  expect(world.errors).toEqual([])
})

const send = (method: string, path: string, body?: unknown, who: Who = 'fleetAdmin'): Promise<RawResponse> =>
  world.raw({
    method,
    url: `${root}${path}`,
    who,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const trust = async (name = 'root.json') => {
  const made = await send('POST', '/trust-roots', rootDocument(name))
  expect(made.status, made.text).toBe(201)
  return String(made.json.id)
}
const upload = (name: string, body = updateFixture(name)) =>
  world.raw({
    method: 'PUT',
    url: `${root}/repositories?file_name=${name}`,
    who: 'fleetAdmin',
    headers: bytes,
    body,
  })
const target = (version: string) => send('PUT', '/target-release', { system_version: version })
const versions = async (query = '') =>
  (await send('GET', `/repositories${query}`)).json.items.map(
    (one: { system_version: string }) => one.system_version,
  )
const outcome = ({ status, json }: RawResponse) => `${status} ${json?.message ?? json?.status ?? ''}`

/** The numbers of repositories, unfinished uploads and files. */
async function stored(): Promise<number[]> {
  const uploads = await world.world.engine.transaction('read', (tx) =>
    tx.selectFrom('systemUpdateUpload').select('id').execute(),
  )
  return [(await versions()).length, uploads.length, (await files.list()).length]
}

describe('trust roots', () => {
  it('a root document that is trusted already is refused where the request says so', async () => {
    const first = await trust()
    const { signed, signatures } = rootDocument() as { signed: object; signatures: unknown[] }
    const reordered = { signatures, signed: Object.fromEntries(Object.entries(signed).toReversed()) }
    const again = await send('POST', '/trust-roots?unless_trusted=true', reordered)
    expect(outcome(again)).toMatch(
      new RegExp(
        `^409 this root document is trusted already: it was added on \\d{4}-\\d\\d-\\d\\d as ${first}$`,
      ),
    )
    expect((await send('POST', '/trust-roots?unless_trusted=false', reordered)).status).toBe(201)
    const other = await send('POST', '/trust-roots?unless_trusted=true', rootDocument('other-root.json'))
    expect(other.status).toBe(201)
    expect((await send('GET', '/trust-roots')).json.items).toHaveLength(3)
  })

  it('a root document is trusted if it is signed by its own keys, as often as it is added', async () => {
    const document = rootDocument()
    const made = await send('POST', '/trust-roots', document)
    expect([made.status, made.json.root_role]).toEqual([201, document])
    const again = await trust()
    const list = await send('GET', '/trust-roots?limit=1')
    expect([list.json.items.length, typeof list.json.next_page]).toEqual([1, 'string'])
    expect((await send('GET', `/trust-roots/${again}`)).json.root_role).toEqual(document)
    expect((await send('DELETE', `/trust-roots/${again}`)).status).toBe(204)
    expect((await send('GET', `/trust-roots/${again}`)).status).toBe(404)
    for (const [body, reason] of [
      [
        rootDocument('altered-root.json'),
        /^Unable to verify root role: the document has valid signatures of 0 of the 1 keys/,
      ],
      [{}, /^Unable to verify root role: /],
      [null, /^Unable to verify root role: /],
      [{ signed: 2 ** 60 }, /is too large/],
      [{ signed: 'x'.repeat(600_000) }, /at most 524288 characters/],
    ] as const) {
      const { status, json } = await send('POST', '/trust-roots', body)
      expect([status, json.message]).toEqual([400, expect.stringMatching(reason)])
    }
  })
})

describe('repositories', () => {
  it('is accepted if a trust root has signed it, and listed newest version first', async () => {
    expect(outcome(await upload('1.0.0.zip'))).toMatch(/^400 no trust root/)
    await trust()
    const made = await upload('1.0.0.zip')
    const hash = createHash('sha256').update(updateFixture('1.0.0.zip')).digest('hex')
    expect([made.status, made.json]).toEqual([
      200,
      {
        repo: { hash, system_version: '1.0.0', file_name: '1.0.0.zip', time_created: expect.any(String) },
        status: 'inserted',
      },
    ])
    expect(outcome(await upload('1.0.0.zip'))).toBe('200 already_exists')
    for (const name of ['1.2.0-rc.1', '1.2.0', '1.1.0'])
      expect(outcome(await upload(`${name}.zip`))).toBe('200 inserted')
    expect(await versions()).toEqual(['1.2.0', '1.2.0-rc.1', '1.1.0', '1.0.0'])
    expect(await versions('?sort_by=version_ascending&limit=2')).toEqual(['1.0.0', '1.1.0'])
    const { next_page: next } = (await send('GET', '/repositories?limit=3')).json
    expect(await versions(`?page_token=${next}`)).toEqual(['1.0.0'])
    expect((await send('GET', '/repositories/1.1.0')).json.file_name).toBe('1.1.0.zip')
    expect(outcome(await send('GET', '/repositories/1.1.1'))).toBe(
      '404 not found: tuf-repo with name "1.1.1"',
    )
    expect((await send('GET', '/repositories/1.1')).status).toBe(400)
    expect(await stored()).toEqual([4, 0, 4])
  })

  it('is refused if it contradicts another one of the same version or an artifact of another one', async () => {
    await trust()
    await upload('1.0.0.zip')
    expect(outcome(await upload('1.0.0-again.zip'))).toMatch(
      /^409 Uploaded repository with system version 1\.0\.0 has SHA256 hash [0-9a-f]{64}, but existing repository has SHA256 hash [0-9a-f]{64}$/,
    )
    expect(outcome(await upload('clash.zip'))).toMatch(
      /^409 Uploaded artifacts do not match .*: disk disk 7\.0\.0 has SHA256 hash [0-9a-f]{64}, but existing [0-9a-f]{64}, host_os sled 1\.0\.0 has/,
    )
    expect(await stored()).toEqual([1, 0, 1])
  })

  it('is verified with new keys if the old ones have signed them, with every root that is trusted', async () => {
    await trust()
    expect(outcome(await upload('other-root.zip'))).toMatch(
      /^400 .*not signed by a trust root: no trust root is a root/,
    )
    expect(outcome(await upload('rotated-badly.zip'))).toMatch(
      /not signed by a trust root: root document 2 has valid signatures of 0 of the 1 keys/,
    )
    expect(outcome(await upload('root-gap.zip'))).toMatch(/root document 2 is missing/)
    expect(outcome(await upload('rotated.zip'))).toBe('200 inserted')
    await trust('other-root.json')
    expect(outcome(await upload('other-root.zip'))).toBe('200 inserted')
    await trust('ecdsa-root.json')
    expect(outcome(await upload('ecdsa.zip'))).toBe('200 inserted')
    // The former keys may have been stolen.
    expect((await target('2.0.0')).status).toBe(204)
    expect(outcome(await upload('1.4.0.zip'))).toMatch(/its root document 1 is older than 2, which is known/)
  })

  it('is refused for its own reason if it is not as its publisher signed it, and nothing is kept', async () => {
    await trust()
    await upload('1.1.0.zip')
    await target('1.1.0')
    const reasons: Record<string, string> = {}
    for (const name of readdirSync(new URL('refused', updateFixtures)).toSorted())
      reasons[name] = outcome(await upload(`refused/${name}`)).replaceAll(/[0-9a-f]{64}/g, 'HASH')
    expect(reasons).toMatchInlineSnapshot(`
      {
        "absolute.zip": "400 repository refused: the zip file has a file whose name leads out of its folder",
        "bad-artifacts.zip": "400 repository refused: artifacts.json: artifacts[0].version is not a word of at most 63 characters",
        "bad-version.zip": "400 repository refused: artifacts.json: system_version: expected a version such as 1.2.3",
        "expired-snapshot.zip": "400 repository refused: snapshot.json has expired: ask the publisher for a newer one",
        "expired-targets.zip": "400 repository refused: targets.json has expired: ask the publisher for a newer one",
        "frozen.zip": "400 repository refused: timestamp.json has expired: ask the publisher for a newer one",
        "huge-metadata.zip": "400 repository refused: metadata/timestamp.json is longer than 16384 bytes",
        "long-artifact.zip": "400 repository refused: target sled-1.6.0.tar has 441 bytes instead of 440",
        "missing-artifact.zip": "400 repository refused: targets/sled-1.6.0.tar is missing",
        "mixed-up.zip": "400 repository refused: snapshot.json has the hash HASH, and the metadata lists HASH",
        "no-timestamp.zip": "400 repository refused: metadata/timestamp.json is missing",
        "not-json.zip": "400 repository refused: timestamp.json is not valid JSON",
        "rolled-back-snapshot.zip": "400 repository refused: timestamp.json lists version 1 of snapshot.json, and version 2 is known",
        "rolled-back.zip": "400 repository refused: timestamp.json has version 1, and version 2 is known",
        "short-artifact.zip": "400 repository refused: target sled-1.6.0.tar has 439 bytes instead of 440",
        "tampered-artifact.zip": "400 repository refused: target sled-1.6.0.tar has the hash HASH instead of HASH",
        "tampered-snapshot.zip": "400 repository refused: snapshot.json has 468 bytes, and the metadata lists 467",
        "tampered-targets.zip": "400 repository refused: targets.json has the hash HASH, and the metadata lists HASH",
        "traversal.zip": "400 repository refused: the zip file has a file whose name leads out of its folder",
        "twice.zip": "400 repository refused: it has the file metadata/timestamp.json twice",
        "unlisted.zip": "400 repository refused: its metadata does not list the file targets/extra.bin",
        "wrong-targets-key.zip": "400 repository refused: targets.json has valid signatures of 0 of the 1 keys that must sign it: it was changed, or another publisher has signed it",
        "wrong-timestamp-key.zip": "400 repository refused: timestamp.json has valid signatures of 0 of the 1 keys that must sign it: it was changed, or another publisher has signed it",
      }
    `)
    expect(outcome(await upload('empty.zip', new Uint8Array(0)))).toBe('400 the repository is empty')
    expect(outcome(await upload('zeros.zip', new Uint8Array(5000)))).toMatch(/cannot be read/)
    expect(await stored()).toEqual([1, 0, 1])
  })

  it('is kept if it is or was lately the target, or is one of the last two', async () => {
    await trust()
    for (const version of ['1.0.0', '1.1.0', '1.2.0-rc.1', '1.2.0']) {
      await upload(`${version}.zip`)
      expect((await target(version)).status).toBe(204)
      await world.advance(1000)
    }
    await upload('1.3.0.zip')
    await world.advance(1000)
    await upload('1.4.0.zip')
    expect(outcome(await target('1.1.0'))).toBe(
      '400 Requested target release (1.1.0) must not be older than current target release (1.2.0).',
    )
    expect(outcome(await target('7.0.0'))).toBe('404 not found: tuf-repo with name "7.0.0"')
    expect((await target('1.2.0')).status).toBe(204)
    await world.advance(300_000)
    expect(await versions()).toEqual(['1.4.0', '1.3.0', '1.2.0', '1.2.0-rc.1', '1.1.0'])
    expect((await send('GET', '/repositories/1.0.0')).status).toBe(404)
    expect(await stored()).toEqual([5, 0, 5])
    const { target_release: release } = (await send('GET', '/status')).json
    expect(release.version).toBe('1.2.0')
  })
})

describe('uploads in parts', () => {
  const begin = (size: number) => send('POST', '/uploads', { file_name: 'update.zip', size })
  const part = (id: string, offset: number, body: Uint8Array<ArrayBuffer>) =>
    world.raw({
      method: 'PUT',
      url: `${root}/uploads/${id}/part?offset=${offset}`,
      who: 'fleetAdmin',
      headers: bytes,
      body,
    })

  it('goes on where it was broken off, also after a restart of the server', async () => {
    await trust()
    const zip = updateFixture('1.0.0.zip')
    const { id } = (await begin(zip.length)).json
    expect((await part(id, 0, zip.slice(0, 1000))).json.offset).toBe(1000)
    expect(outcome(await part(id, 0, zip.slice(0, 1000)))).toBe(
      '409 the upload continues at offset 1000, not 0',
    )
    expect(outcome(await part(id, 1000, zip))).toMatch(/^400 the part ends at/)
    expect(outcome(await part(id, 1000, zip.slice(0, 0)))).toMatch(/^400 a part has at least one byte/)
    expect(outcome(await send('POST', `/uploads/${id}/finish`))).toMatch(/^400 the upload has 1000 of/)
    await world.restart()
    expect((await send('GET', `/uploads/${id}`)).json).toMatchObject({ offset: 1000, size: zip.length })
    expect((await part(id, 1000, zip.slice(1000))).json.offset).toBe(zip.length)
    expect(outcome(await send('POST', `/uploads/${id}/finish`))).toBe('201 inserted')
    expect(await stored()).toEqual([1, 0, 1])
    const again = (await begin(zip.length)).json.id
    await part(again, 0, zip)
    expect(outcome(await send('POST', `/uploads/${again}/finish`))).toBe('201 already_exists')
    expect(await stored()).toEqual([1, 0, 1])
  })

  it('ends with nothing kept if it is refused, cancelled or not finished within a day', async () => {
    await trust()
    const zip = updateFixture('refused/frozen.zip')
    const refused = (await begin(zip.length)).json.id
    await part(refused, 0, zip)
    expect(outcome(await send('POST', `/uploads/${refused}/finish`))).toMatch(
      /^400 repository refused: .*expired/,
    )
    const cancelled = (await begin(10)).json.id
    await part(cancelled, 0, zip.slice(0, 5))
    expect((await send('DELETE', `/uploads/${cancelled}`)).status).toBe(204)
    expect(await stored()).toEqual([0, 0, 0])
    await part((await begin(10)).json.id, 0, zip.slice(0, 5))
    expect(await stored()).toEqual([0, 1, 1])
    await world.jump(day + 300_000)
    expect((await files.list()).length).toBe(0)
  })

  it('is limited in size and number, and is for administrators of the fleet', async () => {
    expect((await begin(0)).status).toBe(400)
    expect((await begin(5 * 1024 ** 3)).status).toBe(400)
    for (let i = 0; i < 8; i++) expect((await begin(1)).status).toBe(201)
    expect((await begin(1)).status).toBe(507)
    expect(outcome(await upload('1.0.0.zip'))).toMatch(/^507/)
    expect((await send('GET', '/uploads', undefined, 'admin')).status).toBe(403)
  })

  it('fails with 503 if the storage fails, and can be finished later', async () => {
    await trust()
    const zip = updateFixture('1.0.0.zip')
    const { id } = (await begin(zip.length)).json
    const working = { ...files }
    files.write = () => Promise.reject(new StorageFull('no room'))
    expect((await part(id, 0, zip)).status).toBe(503)
    expect((await upload('1.1.0.zip')).status).toBe(503)
    Object.assign(files, working)
    await part(id, 0, zip)
    expect(outcome(await send('POST', `/uploads/${id}/finish`))).toBe('201 inserted')
    expect(await stored()).toEqual([1, 0, 1])
  })
})
