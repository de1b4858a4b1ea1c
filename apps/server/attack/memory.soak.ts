import { Agent } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { serve } from '../testing/process.ts'
import { ask, signIn } from '../testing/requests.ts'

afterAll(killAll)

const count = 100_000
const atOnce = 16

it(`${count} requests, each for something else: the memory does not grow with their number`, async () => {
  const server = await serve()
  const { cookie, api } = await signIn(server.url)
  await api.projectCreate({ body: { name: 'p', description: '' } })
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const urls = [
    (i: number) => `/v1/projects?limit=${(i % 999) + 1}&unknown=${i}`,
    (i: number) => `/v1/instances?project=p&unknown=${i}`,
    (i: number) => `/v1/projects/nothing-${i}`,
    (i: number) => `/assets/nothing-${i}.js`,
    (i: number) => `/login?redirect_uri=/projects/${i}`,
  ]
  const send = async (from: number, to: number) => {
    let next = from
    const work = async () => {
      for (let i = next++; i < to; i = next++)
        await ask(server.url, urls[i % urls.length]?.(i) ?? '', {
          agent,
          // Every tenth comes with a session that there is not.
          headers: { cookie: i % 10 === 0 ? `session=${String(i).padStart(40, '0')}` : cookie },
        })
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
  await send(0, count / 2)
  const half = server.memory()?.peak ?? 0
  await send(count / 2, count)
  const whole = server.memory()?.peak ?? 0
  console.log(JSON.stringify({ half, whole }))
  expect(whole).toBeLessThan(600e6)
  expect(whole - half).toBeLessThan(64e6)
})
