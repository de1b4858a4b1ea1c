/** A task over ten thousand instances on SQLite: its speed, and the time of concurrent views. */
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { newFolder } from '@purlin/server/testing/children'
import { type Api, signIn } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '../figures.ts'
import { project, seed } from '../seed.ts'
import { startServer } from './servers.ts'

const instances = 10_000
const viewEveryMs = 20

/** Deletes all instances of a project by one task, once per round, each in a new database. */
export async function taskSpeed({ rounds }: Pace): Promise<Figure[]> {
  const all: Round[] = []
  for (let i = 0; i < rounds; i++) all.push(await round())
  const figure = (name: string, unit: Figure['unit'], of: (round: Round) => number): Figure => ({
    name,
    value: median(all.map(of)),
    unit,
  })
  return [
    figure('delete: items', '/s', ({ seconds }) => instances / seconds),
    figure('concurrent view: p50', 'ms', ({ views }) => quantile(views, 0.5)),
    figure('concurrent view: p99', 'ms', ({ views }) => quantile(views, 0.99)),
  ]
}

interface Round {
  seconds: number
  /** what each view took, in ms */
  views: number[]
}

async function round(): Promise<Round> {
  const folder = newFolder()
  try {
    await seed({ folder: folder.path }, instances)
    const server = await startServer({ folder: folder.path })
    try {
      return await measure(server.url)
    } finally {
      await server.stop()
    }
  } finally {
    folder.remove()
  }
}

async function measure(url: string): Promise<Round> {
  const { api, cookie } = await signIn(url)
  const query = `/v1/instances?project=${project}`
  const began = performance.now()
  const { id } = await api.taskCreate({ body: { kind: 'instance', action: 'delete', query } })
  const stop = startViews(url, cookie)
  try {
    await ended(api, id)
    return { seconds: (performance.now() - began) / 1000, views: await stop() }
  } finally {
    await stop()
  }
}

async function ended(api: Api, id: string): Promise<void> {
  for (;;) {
    const { state, succeeded } = await api.taskView({ params: { task: id } })
    if (state === 'completed' && succeeded === instances) return
    if (state !== 'waiting' && state !== 'running')
      throw new Error(`the task is ${state}, and ${succeeded} of ${instances} were deleted`)
    await wait(100)
  }
}

/** Views a project all the time, whether those before have been answered or not; gives what each took once stopped. */
function startViews(url: string, cookie: string): () => Promise<number[]> {
  const views: Promise<number>[] = []
  const view = async () => {
    const from = performance.now()
    const headers = { cookie, 'cache-control': 'no-cache' }
    const answer = await fetch(`${url}/v1/projects/${project}`, { headers })
    await answer.text()
    if (!answer.ok) throw new Error(`a view was answered with ${answer.status}`)
    return performance.now() - from
  }
  const timer = setInterval(() => views.push(view()), viewEveryMs)
  return () => {
    clearInterval(timer)
    return Promise.all(views)
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
