import { afterAll, expect, it } from 'vitest'
import { killAll, newFolder } from '../testing/children.ts'
import { fillFolder } from '../testing/prepared.ts'
import { serve } from '../testing/process.ts'
import { clientOf } from '../testing/requests.ts'

afterAll(killAll)

const kills = 100

it(`${kills} kills during creates of projects: every acknowledged one exists each time`, async () => {
  const { path: folder } = newFolder()
  const cookie = await fillFolder(folder)
  const acknowledged = new Set<string>()
  for (let round = 0; round < kills; round++) {
    const server = await serve({ folder })
    const api = clientOf(server.url, cookie)
    const make = async (name: string) => {
      await api.projectCreate({ body: { name, description: '' } })
      acknowledged.add(name)
    }
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; ; i++) await make(`p-${round}-${writer}-${i}`)
    })
    const ended = Promise.allSettled(writing)
    // Each round is cut at another moment.
    await new Promise((resolve) => setTimeout(resolve, 50 + ((round * 37) % 400)))
    server.signal('SIGKILL')
    expect(await server.ended).toBe('SIGKILL')
    await ended
  }
  const { url } = await serve({ folder })
  const api = clientOf(url, cookie)
  const found = new Set<string>()
  for (let pageToken: string | undefined; ;) {
    const page = await api.projectList({ query: { limit: 1000, ...(pageToken && { pageToken }) } })
    for (const { name } of page.items) found.add(name)
    if (!page.nextPage) break
    pageToken = page.nextPage
  }
  expect(acknowledged.size).toBeGreaterThan(kills)
  expect([...acknowledged].filter((name) => !found.has(name))).toEqual([])
})
