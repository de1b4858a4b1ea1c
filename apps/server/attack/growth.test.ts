import type { ApiRequest } from '@purlin/contract/http'
import { openWorld, type TestWorld } from '@purlin/core/testing/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPages } from '../pages.ts'
import { openStatic } from '../static.ts'
import { makeDist } from '../testing/doors.ts'

let w: TestWorld
let pages: (request: ApiRequest) => Promise<unknown>
beforeAll(async () => {
  w = await openWorld()
  pages = createPages({ world: w.plane.world, api: w.plane, files: openStatic(makeDist()) })
})
afterAll(() => w.close())

const KiB = 1024
const times = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
const numbered = (make: (index: number) => string, length: number) => {
  let text = ''
  for (let i = 0; text.length < length; i++) text += make(i)
  return text
}
type Make = (length: number) => Partial<ApiRequest>
const get = (url: string): Partial<ApiRequest> => ({ method: 'GET', url })
const sent = (body: string): Partial<ApiRequest> => ({ method: 'POST', url: '/v1/projects', body })
const field = (value: string) => sent(`{"name":"a","description":"","x":${value}}`)

/** Processor time of one request, of the fastest of several runs, in microseconds. */
async function cost(request: ApiRequest): Promise<number> {
  let least = Infinity
  for (let run = 0; run < 7; run++) {
    const before = process.threadCpuUsage()
    let count = 0
    let spent = 0
    // Long enough to be measured, which a single request is not.
    while (spent < 3000) {
      for (let i = 0; i < 3; i++)
        await (request.url.startsWith('/v1') ? w.plane.dispatch(request) : pages(request))
      count += 3
      const { user, system } = process.threadCpuUsage(before)
      spent = user + system
    }
    least = Math.min(least, spent / count)
  }
  return least
}

const queries: Record<string, Make> = {
  'the same parameter again and again': (length) => get(`/v1/ping?${times('a&', length)}`),
  'other parameters': (length) => get(`/v1/ping?${numbered((i) => `p${i}=${i}&`, length)}`),
  'empty parameters': (length) => get(`/v1/ping?${times('&', length)}`),
  'one long parameter': (length) => get(`/v1/projects?limit=${times('9', length)}`),
  'percent signs': (length) => get(`/v1/projects?sort_by=${times('%41', length - (length % 3))}`),
  'equal signs': (length) => get(`/v1/projects?a${times('=', length)}`),
  'an address': (length) => get(`/v1/instances?project=${times('a:', length)}`),
  'a page token': (length) => get(`/v1/projects?page_token=${times('A', length)}`),
  'a page to return to': (length) => get(`/login?redirect_uri=/${times('a/', length)}%5c`),
}
const paths: Record<string, Make> = {
  'many segments': (length) => get(`/v1${times('/a', length)}`),
  'many empty segments': (length) => get(`/v1${times('/', length)}`),
  'a long name': (length) => get(`/v1/projects/${times('a', length)}`),
  'escaped characters': (length) => get(`/v1/projects/${times('%61', length - (length % 3))}`),
  'a page': (length) => get(`/projects${times('/a', length)}`),
  'a page of sign-in': (length) => get(`/login/${times('a', length)}/x`),
  'a file': (length) => get(`/assets/${times('../', length)}`),
}
const header = (name: string, make: (length: number) => string, url = '/v1/projects'): Make => {
  return (length) => ({ method: 'GET', url, headers: { host: 'purlin.test', [name]: make(length) } })
}
const headers: Record<string, Make> = {
  'cookies: many': header('cookie', (length) => numbered((i) => `c${i}=${i}; `, length)),
  'cookies: separators': header('cookie', (length) => times(';', length)),
  'cookies: spaces': header('cookie', (length) => `${times(' ', length)}session=a`),
  'cookies: a long session': header('cookie', (length) => `session=${times('a', length)}`),
  'cookies: many sessions': header('cookie', (length) => times('session=a;', length)),
  'authorization: spaces': header('authorization', (length) => `Bearer${times(' ', length)}x`),
  'authorization: words': header('authorization', (length) => `Bearer${times(' a', length)}`),
  'accept-encoding': header('accept-encoding', (length) => times('br;q=0,', length), '/login/a/local'),
  'if-none-match': header('if-none-match', (length) => times('"a", ', length), '/favicon.svg'),
  accept: header('accept', (length) => times('text/htm,', length), '/nothing'),
  host: header('host', (length) => times('a.', length), '/login'),
  'origin of a write': (length) => ({
    ...sent('{}'),
    headers: { host: 'a', origin: times('http://a.test', length) },
  }),
  'content-type': (length) => ({ ...sent('{}'), headers: { 'content-type': times('a;', length) } }),
  'if-match': (length) => ({
    method: 'PUT',
    url: '/v1/projects/demo',
    headers: { 'if-match': times('"a",', length) },
    body: '{}',
  }),
}
const bodies: Record<string, Make> = {
  'a long text': (length) => field(`"${times('a', length)}"`),
  'a text of escapes': (length) => field(`"${times(String.raw`\"`, length)}"`),
  'many texts': (length) => field(`[${times('"a",', length)}1]`),
  'texts with an escape': (length) => field(`[${times(String.raw`"\n",`, length - (length % 5))}1]`),
  'other keys': (length) => field(`{${numbered((i) => `"k${i}":1,`, length)}"z":1}`),
  'keys of the same hash length': (length) => field(`{${numbered((i) => `"${i}":1,`, length)}"z":1}`),
  'a key twice, at the end': (length) => field(`{${numbered((i) => `"k${i}":1,`, length)}"k0":1}`),
  'white space': (length) => field(`${times(' \n', length)}1`),
  'lines before an error': (length) => field(`${times('\n', length)}!`),
  'a number': (length) => field(times('9', length)),
  'lists in lists': (length) => field(`[${times(`${'['.repeat(60)}${']'.repeat(60)},`, length)}1]`),
  'an unclosed text': (length) => field(`"${times('a', length)}`),
  'an unclosed list': (length) => field(times('[', length)),
  'a name': (length) => sent(`{"description":"","name":"${times('a', length)}"}`),
  'a name of bad characters': (length) => sent(`{"description":"","name":"a${times('é', length)}"}`),
  'a wrong field after a long one': (length) => sent(`{"x":"${times('a', length)}","name":1}`),
  'a host name': (length) => ({
    ...sent(`{"name":"a","description":"","ncpus":1,"memory":1,"hostname":"${times('a.', length)}"}`),
    url: '/v1/instances?project=demo',
  }),
  'a network': (length) => ({
    ...sent(`{"name":"a","description":"","ipv4_block":"${times('1:', length)}"}`),
    url: '/v1/vpc-subnets?project=demo&vpc=default',
  }),
  'a network of IPv6': (length) => ({
    ...sent(
      `{"name":"a","description":"","ipv4_block":"10.0.0.0/24","ipv6_block":"${times('a:', length)}/64"}`,
    ),
    url: '/v1/vpc-subnets?project=demo&vpc=default',
  }),
  'a wrong word': (length) => ({
    ...sent(`{"name":"a","description":"","policy":"${times('a', length)}","failure_domain":"sled"}`),
    url: '/v1/affinity-groups?project=demo',
  }),
  credentials: (length) => ({
    ...sent(`{"username":"${times('a', length)}","password":""}`),
    url: '/v1/login/nowhere/local',
  }),
}

describe.each([
  ['the query', queries, 64 * KiB],
  ['the path', paths, 64 * KiB],
  ['headers', headers, 64 * KiB],
  ['JSON', bodies, 64 * KiB],
] as const)(
  'what runs before authentication takes no more than in proportion to its input: %s',
  (_, makes, most) => {
    it.each(Object.entries<Make>(makes))('%s', async (_name, make) => {
      const request = (length: number): ApiRequest => ({
        method: 'GET',
        url: '/v1/ping',
        headers: {},
        ...make(length),
      })
      const [one, two, four] = [
        await cost(request(most / 4)),
        await cost(request(most / 2)),
        await cost(request(most)),
      ]
      // In proportion it is four times as much, squared it would be sixteen times.
      expect(four / one, `${one} ${two} ${four} µs`).toBeLessThan(8)
    })
  },
)

it('a query has at most 100 parameters', async () => {
  const statusOf = async (count: number) =>
    (
      await w.plane.dispatch({
        method: 'GET',
        url: `/v1/ping?${Array(count).fill('a').join('&')}`,
        headers: {},
      })
    ).status
  expect([await statusOf(100), await statusOf(101), await statusOf(8000)]).toEqual([200, 400, 400])
})
