import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { headOf as head } from '../testing/bodies.ts'
import { killAll } from '../testing/children.ts'
import { serveKnown } from '../testing/prepared.ts'
import { openSocket } from '../testing/requests.ts'

afterAll(killAll)

it('a connection is kept after a request that was refused before its body was read', async () => {
  const server = await serveKnown()
  const { socket, said } = openSocket(server.url)
  const body = 'x'.repeat(5000)
  const post = `${head('/v1/login/main/local', body.length)}${body}`
  socket.write(post)
  // Longer than what is left of a body is waited for.
  await wait(6000)
  socket.write(post)
  await expect.poll(() => said().match(/HTTP\/1.1 413 /g)?.length).toBe(2)
  expect(socket.destroyed).toBe(false)
})
