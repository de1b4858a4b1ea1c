import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import { describe, expect, it } from 'vitest'
import { firstAnswers } from './first-answers.ts'

const page: ApiRequest = {
  method: 'GET',
  url: '/projects',
  headers: { host: 'purlin.test', cookie: 'session=1', 'if-none-match': '"x"', accept: 'text/html' },
  remote: '192.0.2.7',
}
const ok = (body: string): ApiResponse => ({
  status: 200,
  headers: { 'x-request-id': 'r', etag: '"1"', 'content-type': 'application/json' },
  body,
})
const api = (answers: Record<string, ApiResponse | Promise<ApiResponse>>) => {
  const asked: ApiRequest[] = []
  const dispatch = async (request: ApiRequest) => {
    asked.push(request)
    const answer = await answers[request.url]
    if (!answer) throw new Error('not found')
    return answer
  }
  return { dispatch, asked }
}

describe('the answers in a document', () => {
  it('are requested with only the session of the request', async () => {
    const plane = api({ '/v1/me': ok('{}') })
    expect(await firstAnswers(plane, page, ['/v1/me'])).toEqual([
      { url: '/v1/me', headers: { etag: '"1"', 'x-request-id': 'r' }, body: '{}' },
    ])
    expect(plane.asked[0]).toMatchObject({
      method: 'GET',
      url: '/v1/me',
      headers: { host: 'purlin.test', cookie: 'session=1' },
      remote: '192.0.2.7',
    })
    expect(Object.keys(plane.asked[0]?.headers ?? {})).toEqual(['host', 'cookie'])
  })

  it('are only successes', async () => {
    const refused = { ...ok('{"message":"no"}'), status: 403 }
    const plane = api({ '/v1/a': refused, '/v1/b': { ...refused, status: 500 }, '/v1/c': ok('{}') })
    const found = await firstAnswers(plane, page, ['/v1/a', '/v1/b', '/v1/c', '/v1/thrown'])
    expect(found.map(({ url }) => url)).toEqual(['/v1/c'])
  })

  it('are bounded one by one and together', async () => {
    const long = ok('x'.repeat(60 * 1024))
    const plane = api({ '/v1/a': ok('x'.repeat(64 * 1024 + 1)), '/v1/b': long, '/v1/c': long, '/v1/d': long })
    const found = await firstAnswers(plane, page, ['/v1/a', '/v1/b', '/v1/c', '/v1/d'])
    expect(found.map(({ url }) => url)).toEqual(['/v1/b', '/v1/c'])
  })

  it('include a short one after one that does not fit', async () => {
    const long = ok('x'.repeat(60 * 1024))
    const plane = api({ '/v1/a': long, '/v1/b': long, '/v1/c': long, '/v1/d': ok('{}') })
    const found = await firstAnswers(plane, page, ['/v1/a', '/v1/b', '/v1/c', '/v1/d'])
    expect(found.map(({ url }) => url)).toEqual(['/v1/a', '/v1/b', '/v1/d'])
  })

  it('do not wait for a slow one, which is aborted', async () => {
    const plane = api({ '/v1/slow': new Promise<never>(() => undefined), '/v1/me': ok('{}') })
    const found = await firstAnswers(plane, page, ['/v1/slow', '/v1/me'])
    expect(found.map(({ url }) => url)).toEqual(['/v1/me'])
    expect(plane.asked.map(({ signal }) => signal?.aborted)).toEqual([true, true])
  })
})
