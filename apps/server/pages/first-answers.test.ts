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
    if (!answer) throw new Error('nothing there')
    return answer
  }
  return { dispatch, asked }
}

describe('the answers in a document', () => {
  it('are asked for with the session of the request, and nothing else of it', async () => {
    const plane = api({ '/v1/me': ok('{}') })
    expect((await firstAnswers(plane, page, ['/v1/me'])).given).toEqual([
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
    const { given } = await firstAnswers(plane, page, ['/v1/a', '/v1/b', '/v1/c', '/v1/thrown'])
    expect(given.map(({ url }) => url)).toEqual(['/v1/c'])
  })

  it('are bounded one by one and together', async () => {
    const long = ok('x'.repeat(60 * 1024))
    const plane = api({ '/v1/a': ok('x'.repeat(64 * 1024 + 1)), '/v1/b': long, '/v1/c': long, '/v1/d': long })
    const { given } = await firstAnswers(plane, page, ['/v1/a', '/v1/b', '/v1/c', '/v1/d'])
    expect(given.map(({ url }) => url)).toEqual(['/v1/b', '/v1/c'])
  })

  it('include a short one after one that does not fit', async () => {
    const long = ok('x'.repeat(60 * 1024))
    const plane = api({ '/v1/a': long, '/v1/b': long, '/v1/c': long, '/v1/d': ok('{}') })
    const { given } = await firstAnswers(plane, page, ['/v1/a', '/v1/b', '/v1/c', '/v1/d'])
    expect(given.map(({ url }) => url)).toEqual(['/v1/a', '/v1/b', '/v1/d'])
  })

  it('do not wait for a slow one, which is told to end', async () => {
    const plane = api({ '/v1/slow': new Promise<never>(() => undefined), '/v1/me': ok('{}') })
    const { given } = await firstAnswers(plane, page, ['/v1/slow', '/v1/me'])
    expect(given.map(({ url }) => url)).toEqual(['/v1/me'])
    expect(plane.asked.map(({ signal }) => signal?.aborted)).toEqual([true, true])
  })

  it('may be more than the address is known to ask for, within the same bounds', async () => {
    const long = ok('x'.repeat(60 * 1024))
    const refused = { ...ok('{}'), status: 404 }
    const plane = api({
      '/v1/a': long,
      '/v1/b': long,
      '/v1/c': long,
      '/v1/me': ok('{}'),
      '/v1/gone': refused,
    })
    const answers = await firstAnswers(plane, page, ['/v1/a'])
    const more = async (url: string) => {
      const answer = await answers.more(url)
      return typeof answer === 'string' ? answer : (answer?.url ?? null)
    }
    expect(await Promise.all(['/v1/gone', '/v1/b', '/v1/c', '/v1/me', '/v1/thrown'].map(more))).toEqual([
      null,
      '/v1/b',
      'too much',
      '/v1/me',
      null,
    ])
    expect(answers.given.map(({ url }) => url)).toEqual(['/v1/a', '/v1/b', '/v1/me'])
    expect(plane.asked.every(({ headers }) => headers['cookie'] === 'session=1')).toBe(true)
  })

  it('are asked for until the document is complete, and a number of times', async () => {
    let answer: (given: ApiResponse) => void = () => undefined
    const plane = api({
      '/v1/me': ok('{}'),
      '/v1/slow': new Promise<ApiResponse>((resolve) => (answer = resolve)),
    })
    const many = await firstAnswers(plane, page, [])
    for (let i = 0; i < 24; i++) expect(await many.more('/v1/me')).not.toBe('too much')
    expect(await many.more('/v1/me')).toBe('too much')
    expect(many.given).toHaveLength(24)

    const answers = await firstAnswers(plane, page, [])
    const slow = answers.more('/v1/slow')
    answers.end()
    answer(ok('{}'))
    expect([await slow, await answers.more('/v1/me'), answers.given]).toEqual([null, null, []])
    expect(plane.asked.filter(({ url }) => url === '/v1/slow').map(({ signal }) => signal?.aborted)).toEqual([
      true,
    ])
    expect(plane.asked).toHaveLength(25)
  })
})
