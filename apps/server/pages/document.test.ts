import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { firstLoadFile, openDocuments, type FirstLoad } from './document.ts'

let dist: string
beforeEach(() => (dist = mkdtempSync(join(tmpdir(), 'purlin-document-'))))
afterEach(() => rmSync(dist, { recursive: true, force: true }))

const load = (address: string, more: Partial<FirstLoad> = {}): FirstLoad => ({
  address,
  hasFrame: true,
  files: [],
  requests: [],
  ...more,
})
const page =
  '<head><title>Purlin</title></head><body><div id="root"><!--frame--><i>frame</i><!--/frame--></div><template id="later"><link href="/main.js"></template></body>'

function open(table?: FirstLoad[]) {
  writeFileSync(join(dist, 'index.html'), page)
  mkdirSync(join(dist, '.vite'), { recursive: true })
  if (table) writeFileSync(join(dist, firstLoadFile), JSON.stringify(table))
  return openDocuments(dist)
}

const files = ['assets/disks-1.js']
const scripts = '<link rel="modulepreload" crossorigin href="/assets/disks-1.js">\n<link href="/main.js">'

it('a document has the frame, and delays the files of its address until that is painted', () => {
  const documents = open([load('/disks', { files })])
  expect(documents.text(documents.visitOf('/disks'), [])).toBe(
    `<head><title>Purlin</title></head><body><div id="root"><i>frame</i></div><template id="later">${scripts}</template></body>`,
  )
})

it('without a frame, files are requested immediately', () => {
  const documents = open([load('/login/$silo/local', { hasFrame: false, files })])
  expect(documents.text(documents.visitOf('/login/acme/local'), [])).toBe(
    `<head><title>Purlin</title></head><body><div id="root"></div>${scripts}</body>`,
  )
})

it('without a visit, and for the sign-in page, it has no frame', () => {
  const documents = open([load('/login/$silo/local', { hasFrame: false })])
  expect(documents.text(null, [])).not.toContain('frame')
  expect(documents.text(documents.visitOf('/login/acme/local'), [])).not.toContain('frame')
})

it('requests take the parameters of the path, encoded once', () => {
  const documents = open([load('/projects/$project/disks', { requests: ['/v1/disks?project=$project'] })])
  const requestsAt = (path: string) => documents.visitOf(path)?.requests
  expect(requestsAt('/projects/demo/disks')).toEqual(['/v1/disks?project=demo'])
  expect(requestsAt('/projects/demo/disks/')).toEqual(['/v1/disks?project=demo'])
  expect(requestsAt('/projects/a%26b=$&c/disks')).toEqual(['/v1/disks?project=a%26b%3D%24%26c'])
  for (const path of [
    '/projects/%zz/disks',
    '/projects//disks',
    '/projects/a/b/disks',
    '/x/projects/a/disks',
  ])
    expect([path, requestsAt(path)]).toEqual([path, undefined])
})

it('an address that is written out goes before one with a parameter', () => {
  const documents = open([
    load('/disks/$disk', { files: ['one.js'] }),
    load('/disks/new', { files: ['new.js'] }),
  ])
  expect(documents.visitOf('/disks/new')?.files).toEqual(['new.js'])
})

it('no text of an answer leaves its script', () => {
  const documents = open()
  const body = '</script><script>alert(1)</script><!-- $& $` \u2028'
  const text = documents.text(null, [{ url: '/v1/me', headers: {}, body }])
  const [, inside = ''] =
    /<script type="application\/json" id="first-answers">(.*?)<\/script>/s.exec(text) ?? []
  expect(JSON.parse(inside)).toEqual([{ url: '/v1/me', headers: {}, body }])
  expect(text.match(/<script/g)).toHaveLength(1)
  expect(text.endsWith('</script>\n</body>')).toBe(true)
})
