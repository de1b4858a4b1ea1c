import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { GiB, limits } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { serveKnown } from '../testing/prepared.ts'
import { ask, openSocket } from '../testing/requests.ts'

const MB = 1e6
const path = '/v1/disks?project=many&limit=1000'
let server: Awaited<ReturnType<typeof serveKnown>>
beforeAll(async () => {
  server = await serveKnown({ args: ['--log-level', 'error'] })
  const { api, folder } = server
  await api.projectCreate({ body: { name: 'many', description: '' } })
  const diskSource = { type: 'blank' as const, blockSize: 512 as const }
  const body = { name: 'first', description: '', size: GiB, diskSource }
  await api.diskCreate({ query: { project: 'many' }, body })
  const db = new DatabaseSync(join(folder, 'purlin.db'), { timeout: 10_000 })
  const columns = 'projectId, siloId, size, blockSize, state, generation, timeCreated, timeModified'
  db.exec(`
    with recursive number(i) as (select 1 union all select i + 1 from number where i < 999)
    insert into disk (id, name, description, ${columns})
    select lower(hex(randomblob(4)) || '-0000-4000-8000-' || hex(randomblob(6))), 'd' || i,
      printf('%.*c', 512, 'x'), ${columns} from number, disk`)
  db.close()
})
afterAll(killAll)

it('answers that no client reads, 1 GB of them, leave the server below 600 MB, and others are answered', async () => {
  const { url, cookie, memory } = server
  const get = `GET ${path} HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`
  const { text } = await ask(url, path, { headers: { cookie } })
  expect(text.length).toBeGreaterThan(MB / 2)
  const sockets = Array.from({ length: 125 }, () => openSocket(url))
  for (const { socket } of sockets) {
    socket.pause()
    socket.write(get.repeat(limits.requestsOfConnection))
  }
  // Closed connections are noticed by those who write.
  const closed = () => {
    for (const { socket } of sockets) if (socket.writable) socket.write('x')
    return sockets.filter(({ socket }) => socket.destroyed).length
  }
  await expect.poll(closed, { timeout: 60_000 }).toBeGreaterThan(62)
  expect((await ask(url, path, { headers: { cookie }, from: '127.0.2.1' })).text).toBe(text)
  for (const { socket } of sockets) socket.destroy()
  expect(memory()?.peak ?? 0).toBeLessThan(600 * MB)
})
