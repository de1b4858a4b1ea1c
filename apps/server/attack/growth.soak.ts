import { join } from 'node:path'
import type { ApiRequest } from '@purlin/contract/http'
import { openWorld, type TestWorld } from '@purlin/core/testing/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPages } from '../pages/pages.ts'
import { openGuide } from '../pages/guide.ts'
import { openStatic } from '../pages/static.ts'
import { makeDist } from '../testing/test-servers.ts'

let w: TestWorld
let pages: (request: ApiRequest) => Promise<{ status: number }>
beforeAll(async () => {
  w = await openWorld()
  const dist = makeDist()
  pages = createPages({
    world: w.plane.world,
    api: w.plane,
    files: openStatic(dist),
    guide: openGuide(join(dist, 'guide')),
  })
})
afterAll(() => w.close())

const KiB = 1024
const repeated = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)
const numbered = (make: (index: number) => string, length: number) => {
  let text = ''
  for (let i = 0; text.length < length; i++) text += make(i)
  return text
}
type Make = (length: number) => Partial<ApiRequest>
const get = (url: string): Partial<ApiRequest> => ({ method: 'GET', url })
const sent = (body: string): Partial<ApiRequest> => ({ method: 'POST', url: '/v1/projects', body })
const field = (value: string) => sent(`{"name":"a","description":"","x":${value}}`)

async function timeOf(request: ApiRequest): Promise<number> {
  const began = performance.now()
  const { status } = await (/^\/(experimental\/)?v1\//.test(request.url)
    ? w.plane.dispatch(request)
    : pages(request))
  const time = performance.now() - began
  // A request that fails immediately proves nothing about its length.
  expect(status).toBeLessThan(500)
  return time
}

const leastRounds = 30
const longestMs = 10_000

/**
 * The times of requests of 1×, 2× and 4× the length, in turns, of each the least so far: what else the machine does only
 * adds to a time, so more rounds come closer to the true ones. It ends as soon as these are in proportion.
 */
async function times(requests: readonly ApiRequest[], isInProportion: (times: readonly number[]) => boolean) {
  const least = requests.map(() => Infinity)
  const end = performance.now() + longestMs
  for (let round = 1; performance.now() < end; round++) {
    for (const [i, request] of requests.entries()) least[i] = Math.min(least[i] ?? 0, await timeOf(request))
    if (round >= leastRounds && isInProportion(least)) break
  }
  return least
}

/**
 * With this number of parts, V8 still allocates lists among its other objects. For longer ones it requests memory
 * from the system each time, which can take longer than the work and is not proportional. Squared, this length takes
 * milliseconds.
 */
const longest = 8 * KiB

const queries: Record<string, Make> = {
  'the same parameter again and again': (length) => get(`/v1/ping?${repeated('a&', length)}`),
  'other parameters': (length) => get(`/v1/ping?${numbered((i) => `p${i}=${i}&`, length)}`),
  'empty parameters': (length) => get(`/v1/ping?${repeated('&', length)}`),
  'one long parameter': (length) => get(`/v1/projects?limit=${repeated('9', length)}`),
  'percent signs': (length) => get(`/v1/projects?sort_by=${repeated('%41', length - (length % 3))}`),
  'equal signs': (length) => get(`/v1/projects?a${repeated('=', length)}`),
  'an address': (length) => get(`/v1/instances?project=${repeated('a:', length)}`),
  'a page token': (length) => get(`/v1/projects?page_token=${repeated('A', length)}`),
  'a page to return to': (length) => get(`/login?redirect_uri=/${repeated('a/', length)}%5c`),
}
const paths: Record<string, Make> = {
  'many segments': (length) => get(`/v1${repeated('/a', length)}`),
  'many empty segments': (length) => get(`/v1${repeated('/', length)}`),
  'a long name': (length) => get(`/v1/projects/${repeated('a', length)}`),
  'escaped characters': (length) => get(`/v1/projects/${repeated('%61', length - (length % 3))}`),
  'a page': (length) => get(`/projects${repeated('/a', length)}`),
  'a page of sign-in': (length) => get(`/login/${repeated('a', length)}/x`),
  'a file': (length) => get(`/assets/${repeated('../', length)}`),
}
const formTo = (url: string, body: string): Partial<ApiRequest> => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
})
const header = (name: string, make: (length: number) => string, url = '/v1/projects'): Make => {
  return (length) => ({ method: 'GET', url, headers: { host: 'purlin.test', [name]: make(length) } })
}
const headers: Record<string, Make> = {
  'cookies: many': header('cookie', (length) => numbered((i) => `c${i}=${i}; `, length)),
  'cookies: separators': header('cookie', (length) => repeated(';', length)),
  'cookies: spaces': header('cookie', (length) => `${repeated(' ', length)}session=a`),
  'cookies: a long session': header('cookie', (length) => `session=${repeated('a', length)}`),
  'cookies: many sessions': header('cookie', (length) => repeated('session=a;', length)),
  'authorization: spaces': header('authorization', (length) => `Bearer${repeated(' ', length)}x`),
  'authorization: words': header('authorization', (length) => `Bearer${repeated(' a', length)}`),
  'accept-encoding': header('accept-encoding', (length) => repeated('br;q=0,', length), '/login/a/local'),
  'if-none-match': header('if-none-match', (length) => repeated('"a", ', length), '/favicon.svg'),
  accept: header('accept', (length) => repeated('text/htm,', length), '/nothing'),
  host: header('host', (length) => repeated('a.', length), '/login'),
  'origin of a write': (length) => ({
    ...sent('{}'),
    headers: { host: 'a', origin: repeated('http://a.test', length) },
  }),
  'content-type': (length) => ({ ...sent('{}'), headers: { 'content-type': repeated('a;', length) } }),
  'if-match': (length) => ({
    method: 'PUT',
    url: '/v1/projects/demo',
    headers: { 'if-match': repeated('"a",', length) },
    body: '{}',
  }),
}
const bodies: Record<string, Make> = {
  'a long text': (length) => field(`"${repeated('a', length)}"`),
  'a text of escapes': (length) => field(`"${repeated(String.raw`\"`, length)}"`),
  'many texts': (length) => field(`[${repeated('"a",', length)}1]`),
  'texts with an escape': (length) => field(`[${repeated(String.raw`"\n",`, length - (length % 5))}1]`),
  'other keys': (length) => field(`{${numbered((i) => `"k${i}":1,`, length)}"z":1}`),
  'keys of the same hash length': (length) => field(`{${numbered((i) => `"${i}":1,`, length)}"z":1}`),
  'a key twice, at the end': (length) => field(`{${numbered((i) => `"k${i}":1,`, length)}"k0":1}`),
  'white space': (length) => field(`${repeated(' \n', length)}1`),
  'lines before an error': (length) => field(`${repeated('\n', length)}!`),
  'a number': (length) => field(repeated('9', length)),
  'lists in lists': (length) => field(`[${repeated(`${'['.repeat(60)}${']'.repeat(60)},`, length)}1]`),
  'an unclosed text': (length) => field(`"${repeated('a', length)}`),
  'an unclosed list': (length) => field(repeated('[', length)),
  'a name': (length) => sent(`{"description":"","name":"${repeated('a', length)}"}`),
  'a name of bad characters': (length) => sent(`{"description":"","name":"a${repeated('é', length)}"}`),
  'a wrong field after a long one': (length) => sent(`{"x":"${repeated('a', length)}","name":1}`),
  'a host name': (length) => ({
    ...sent(`{"name":"a","description":"","ncpus":1,"memory":1,"hostname":"${repeated('a.', length)}"}`),
    url: '/v1/instances?project=demo',
  }),
  'a network': (length) => ({
    ...sent(`{"name":"a","description":"","ipv4_block":"${repeated('1:', length)}"}`),
    url: '/v1/vpc-subnets?project=demo&vpc=default',
  }),
  'a network of IPv6': (length) => ({
    ...sent(
      `{"name":"a","description":"","ipv4_block":"10.0.0.0/24","ipv6_block":"${repeated('a:', length)}/64"}`,
    ),
    url: '/v1/vpc-subnets?project=demo&vpc=default',
  }),
  'a wrong word': (length) => ({
    ...sent(`{"name":"a","description":"","policy":"${repeated('a', length)}","failure_domain":"sled"}`),
    url: '/v1/affinity-groups?project=demo',
  }),
  'a form': (length) =>
    formTo(
      '/device/auth',
      numbered((i) => `f${i}=${i}&`, length),
    ),
  'a code of a device': (length) => formTo('/device/token', `device_code=${repeated('%41', length)}`),
  credentials: (length) => ({
    ...sent(`{"username":"${repeated('a', length)}","password":""}`),
    url: '/v1/login/nowhere/local',
  }),
}

describe.each([
  ['the query', queries],
  ['the path', paths],
  ['headers', headers],
  ['JSON', bodies],
] as const)('work before authentication takes time at most proportional to its input: %s', (_, makes) => {
  it.each(Object.entries<Make>(makes))('%s', async (_name, make) => {
    const request = (length: number): ApiRequest => ({
      method: 'GET',
      url: '/v1/ping',
      headers: {},
      ...make(length),
    })
    // In proportion four times the length takes four times as long, squared it would be sixteen times.
    const isInProportion = ([one = 0, , four = Infinity]: readonly number[]) => four / one < 8
    const least = await times([longest / 4, longest / 2, longest].map(request), isInProportion)
    expect(least, `${least.join(' ')} ms`).toSatisfy(isInProportion)
  })
})
