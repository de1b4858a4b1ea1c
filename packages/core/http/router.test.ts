import type { OpShape } from '@purlin/contract/op'
import { operations } from '@purlin/contract/operations'
import fc from '#/testing/properties.ts'
import { describe, expect, it } from 'vitest'
import { createRouter } from './router.ts'

const op = (method: OpShape['method'], path: string): OpShape => ({
  method,
  path,
  allow: 'user',
  ok: 200,
  tag: '',
})
const route = createRouter({
  list: op('GET', '/v1/disks'),
  make: op('POST', '/v1/disks'),
  view: op('GET', '/v1/disks/{disk}'),
  drop: op('DELETE', '/v1/disks/{disk}'),
  own: op('GET', '/v1/disks/mine'),
  part: op('GET', '/v1/disks/{disk}/parts/{part_id}'),
  deep: op('POST', '/v1/disks/hidden/deep'),
  ownParts: op('PUT', '/v1/disks/mine/parts'),
})
const notFound = { status: 404, code: undefined, message: 'Not Found' }
const notAllowed = (allow: string) => ({
  status: 405,
  code: undefined,
  message: 'Method Not Allowed',
  headers: { allow },
})
const thrownBy = (method: string, path: string): unknown => {
  try {
    return route(method, path).name
  } catch (error) {
    return error
  }
}

describe('matching leaves out empty segments and decodes the others', () => {
  it.each([
    ['GET', '/v1/disks', 'list', {}],
    ['POST', '/v1/disks', 'make', {}],
    ['GET', '/v1/disks/web', 'view', { disk: 'web' }],
    ['DELETE', '/v1/disks/web', 'drop', { disk: 'web' }],
    ['GET', '/v1/disks/a/parts/b', 'part', { disk: 'a', part_id: 'b' }],
    ['GET', '/v1/disks/mine', 'own', {}],
    ['PUT', '/v1/disks/mine/parts', 'ownParts', {}],
    ['GET', '/v1/disks/mine/parts/b', 'part', { disk: 'mine', part_id: 'b' }],
    ['GET', '/v1/disks/a%20b%2Fc', 'view', { disk: 'a b/c' }],
    ['GET', '/v1/disks/%E2%82%AC', 'view', { disk: '€' }],
    ['GET', '/v1/disks/', 'list', {}],
    ['GET', '/v1//disks', 'list', {}],
    ['GET', '//v1/disks', 'list', {}],
    ['GET', '/v1/disks/web/', 'view', { disk: 'web' }],
    ['GET', '/v1/%64isks', 'list', {}],
    ['GET', '/v1/disks/%6dine', 'own', {}],
    ['GET', '/v1/disks/%2564', 'view', { disk: '%64' }],
  ])('%s %s', (method, path, name, params) => {
    expect(route(method, path)).toMatchObject({ name, params })
  })

  it.each([
    '/',
    '',
    '/v1',
    '/v1/',
    '/V1/disks',
    '/v1/Disks',
    '/v1/disks//parts/x',
    '/v1/disks/web/parts',
    '/v1/disks/web/parts/',
    '/v1/disks/web/parts/a/b',
    '/v1/disk',
    '/v1/diskss',
    'v1/disks',
    '/v1%2Fdisks',
    '//',
  ])('%s is no route: 404', (path) => {
    expect(thrownBy('GET', path)).toMatchObject(notFound)
  })

  it('a fixed segment wins over a placeholder, and does not hide paths below it or next to it', () => {
    expect(route('GET', '/v1/disks/hidden')).toMatchObject({ name: 'view', params: { disk: 'hidden' } })
    expect(route('POST', '/v1/disks/hidden/deep').name).toBe('deep')
    expect(route('GET', '/v1/disks/mine').name).toBe('own')
    expect(route('GET', '/v1/disks/mine/parts/x').name).toBe('part')
  })
})

describe('a method that a path lacks', () => {
  it.each([
    ['PUT', '/v1/disks', 'GET, POST'],
    ['OPTIONS', '/v1/disks', 'GET, POST'],
    ['HEAD', '/v1/disks/web', 'DELETE, GET'],
    ['TRACE', '/v1/disks/web', 'DELETE, GET'],
    ['get', '/v1/disks', 'GET, POST'],
    ['DELETE', '/v1/disks/mine', 'GET'],
    ['', '/v1/disks', 'GET, POST'],
    ['constructor', '/v1/disks', 'GET, POST'],
  ])('%s %s: 405 with the allowed methods', (method, path, allow) => {
    expect(thrownBy(method, path)).toMatchObject(notAllowed(allow))
  })
  it('on an unknown path is 404', () => {
    expect(thrownBy('PUT', '/v1/nothing')).toMatchObject(notFound)
  })
})

describe('broken paths', () => {
  it.each(['/v1/../v1/disks', '/v1/disks/..', '/..', '/v1/./disks', '/v1/disks/.', '/v1/disks/%2e%2E'])(
    'dot segments: %s',
    (path) => {
      expect(thrownBy('GET', path)).toMatchObject({
        status: 400,
        message: 'bad parameter in URL path: dot segments are not allowed',
      })
    },
  )
  it.each(['/v1/disks/%', '/v1/disks/%zz', '/v1/disks/%ff', '/v1/disks/%E2%82'])(
    'broken escapes: %s',
    (path) => {
      expect(thrownBy('GET', path)).toMatchObject({
        status: 400,
        message: 'bad parameter in URL path: malformed percent-encoding',
      })
    },
  )
})

describe('the whole table of operations', () => {
  const real = createRouter(operations)
  const all = Object.entries<OpShape>(operations)

  it.each(all)('%s is found at its own path', (name, { method, path }) => {
    const keys = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '')
    const match = real(method, path.replaceAll(/\{(\w+)\}/g, 'value-of-$1'))
    expect(match.name).toBe(name)
    expect(match.params).toEqual(Object.fromEntries(keys.map((key) => [key, `value-of-${key}`])))
  })

  it('any method and path gives a match or one of the errors of the router', () => {
    const words = [...new Set(all.flatMap(([, { path }]) => path.split('/'))), 'x', '', '..', '%', '%2e%2e']
    const segment = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...words) }, fc.string())
    const path = fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join('/')}`)
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD'), fc.string()),
        path,
        (method, at) => {
          try {
            expect(real(method, at).op.method).toBe(method)
          } catch (error) {
            expect([400, 404, 405]).toContain((error as { status?: number }).status)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })
})
