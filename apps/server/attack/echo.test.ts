import { afterAll, beforeAll, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { serveKnown } from '../testing/prepared.ts'
import { ask } from '../testing/requests.ts'

let server: Awaited<ReturnType<typeof serveKnown>>
beforeAll(async () => {
  server = await serveKnown()
  await server.api.projectCreate({ body: project })
})
afterAll(killAll)

const long = 'é'.repeat(200_000)
const query = 'é'.repeat(2000)
const project = { name: 'p', description: '' }
const requests: Record<string, [path: string, body?: unknown]> = {
  'a text in place of an object': ['/v1/projects', long],
  'a text in place of a number': [
    '/v1/instances?project=p',
    { ...project, hostname: 'a', ncpus: long, memory: 1 },
  ],
  'a word that is none of a list': [
    '/v1/affinity-groups?project=p',
    { ...project, policy: long, failure_domain: 'sled' },
  ],
  'a kind that there is not': ['/v1/disks?project=p', { ...project, size: 1, disk_source: { type: long } }],
  'a key given twice': ['/v1/projects', `{"${long}":1,"${long}":1}`],
  'a bad name': ['/v1/projects', { name: long, description: '' }],
  'a bad parameter': [`/v1/projects?sort_by=${encodeURIComponent(query.slice(0, 1000))}`],
  'a bad number in the query': [`/v1/projects?limit=${'x'.repeat(8000)}`],
  'a bad name in the path': [`/v1/projects/${'X'.repeat(8000)}`],
  'a page of another site': [`/login?redirect_uri=${'x'.repeat(8000)}`],
  'an unknown timeseries': ['/v1/timeseries/query?project=p', { query: `get a:${'b'.repeat(4000)}` }],
  'a filter that is wrong': [
    '/v1/timeseries/query?project=p',
    { query: `get virtual_machine:vcpu_usage | filter ${'c'.repeat(3000)} == 1` },
  ],
}

it.each(Object.entries(requests))(
  'an error repeats at most 200 characters of %s',
  async (_, [path, body]) => {
    const text = typeof body === 'string' && body.startsWith('{') ? body : JSON.stringify(body)
    const how = body === undefined ? {} : { method: 'POST', body: text }
    const answer = await ask(server.url, path, { ...how, headers: { cookie: server.cookie } })
    expect(answer.status).toBe(400)
    const [run = ''] = /([éxXbc…])\1{150,}/.exec(answer.text) ?? []
    expect(run.length).toBeLessThanOrEqual(200)
    expect(answer.text.length).toBeLessThan(2000)
  },
)
