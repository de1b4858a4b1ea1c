import { keysOf } from '@purlin/contract/rules/keys'
import { Agent } from 'node:http'
import { operations } from '@purlin/contract/operations'
import fc from '@purlin/core/testing/properties'
import { anyRequest } from '@purlin/core/testing/requests'
import { afterAll, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { serve } from '../testing/process.ts'
import { type Api, ask, signIn } from '../testing/requests.ts'

afterAll(killAll)

const count = Number(process.env['PURLIN_FUZZ_REQUESTS'] ?? 200_000)
const atOnce = 16
const batch = 500
const seed = Number(process.env['PURLIN_PROPERTY_SEED'] ?? 1)
// Not the server's fault: no room, no quota, a sled that does not answer.
const allowed = new Set([503, 507])

/** Makes what requests name, and returns the ids by name. */
async function fixtures(api: Api): Promise<Record<string, string>> {
  const about = { description: '' }
  const demo = await api.projectCreate({ body: { name: 'demo', ...about } })
  const query = { project: 'demo' }
  const size = 2 ** 30
  const diskSource = { type: 'blank', blockSize: 512 } as const
  const data = await api.diskCreate({ query, body: { name: 'data', ...about, size, diskSource } })
  const machine = { name: 'web', ...about, hostname: 'web', ncpus: 1, memory: size, start: false }
  const web = await api.instanceCreate({ query, body: machine })
  const vpc = await api.vpcView({ params: { vpc: 'default' }, query })
  const me = await api.currentUserView({ query: {} })
  return { demo: demo.id, data: data.id, web: web.id, default: vpc.id, admin: me.id, noRole: me.id }
}

const names = keysOf(operations).filter((name) => name !== 'logout')
/** Requests to all operations. To make this takes a second, to take requests from it very little. */
const requestsWith = (ids: Record<string, string>) => fc.oneof(...names.map((name) => anyRequest(name, ids)))

it(`${count} requests made from the contract: each is answered, none with 500, and the server lives`, async () => {
  const server = await serve()
  let { api, cookie } = await signIn(server.url)
  let anyOf = requestsWith(await fixtures(api))
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const statuses: Record<number, number> = {}
  const wrong: string[] = []
  for (let done = 0; done < count; done += batch) {
    const requests = fc.sample(anyOf, { numRuns: batch, seed: seed + done })
    const sendAll = async () => {
      for (let next = requests.pop(); next; next = requests.pop()) {
        const { method = 'GET', url, body } = next
        // Sent in every case, because Node does not frame the body of a GET.
        const length = { 'content-length': String(Buffer.byteLength(body ?? '')) }
        const headers = { cookie, 'content-type': 'application/json', ...length }
        const { status, text } = await ask(server.url, url, { method, headers, agent, ...(body && { body }) })
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status >= 500 && !allowed.has(status))
          wrong.push(`${method} ${url} ${String(body)}: ${status} ${text}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, sendAll))
    expect(wrong).toEqual([])
    // A request may have ended the session or changed what others name.
    if ((await ask(server.url, '/v1/me', { headers: { cookie } })).status === 401)
      ({ api, cookie } = await signIn(server.url))
    const made = await fixtures(api).catch(() => undefined)
    if (made) anyOf = requestsWith(made)
  }
  console.log(JSON.stringify({ statuses, memory: server.memory(), cpu: server.cpu() }))
  expect(server.lines().filter((line) => line.includes('"level":"error"'))).toEqual([])
  expect(server.memory()?.peak ?? 0).toBeLessThan(600e6)
  for (const status of [200, 201, 204, 400, 404]) expect(statuses[status]).toBeGreaterThan(0)
})
