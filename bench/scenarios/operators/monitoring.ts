/** The cost of a look at `/metrics` to a server with 1000 instances. */
import { newFolder } from '@purlin/server/testing/children'
import { ask } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '#/figures.ts'
import { seed } from '#/seed.ts'
import { startServer } from '../servers.ts'

const instances = 1000

export async function metricsCost({ rounds }: Pace): Promise<Figure[]> {
  const folder = newFolder()
  try {
    await seed({ folder: folder.path }, instances)
    return await figuresIn(folder.path, 10 * rounds)
  } finally {
    folder.remove()
  }
}

async function figuresIn(folder: string, looks: number): Promise<Figure[]> {
  const server = await startServer({ folder })
  try {
    const times: number[] = []
    let size = 0
    // The first one is not counted.
    for (let i = 0; i <= looks; i++) {
      const began = performance.now()
      const { status, text } = await ask(server.url, '/metrics')
      const counted = text.matchAll(/^purlin_instances\{.*\} (\d+)$/gm)
      const all = [...counted].reduce((sum, [, count]) => sum + Number(count), 0)
      if (status !== 200 || all !== instances) throw new Error(`metrics: ${status}, ${all} instances`)
      if (i > 0) times.push(performance.now() - began)
      size = text.length
    }
    return [
      { name: `/metrics with ${instances} instances: p50`, value: median(times), unit: 'ms' },
      { name: `/metrics with ${instances} instances: size`, value: size / 1000, unit: 'kB' },
    ]
  } finally {
    await server.stop()
  }
}
