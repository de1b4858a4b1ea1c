/** Writes and reads continuously, and records the answers: for tests that end or freeze processes. */
import { Agent } from 'node:http'
import { openPostgres, type PostgresEngine } from '@purlin/databases/postgres'
import type { Known } from './prepared.ts'
import { ask, signIn } from './requests.ts'

const GiB = 2 ** 30
const project = 'load'

/** The outcomes of the requested disks. */
export interface Account {
  /** answered with success: they must be there */
  acknowledged: Set<string>
  /** answered with a refusal: they must not be there */
  refused: Set<string>
  /** without an answer, or with one that says that the outcome is unknown */
  unknown: Set<string>
  /** answers that should not be given at all */
  wrong: string[]
  /** the longest that a write took, ms */
  slowest: number
}

export interface DiskLoad {
  account: Account
  /** Resolves after the next write that succeeds, to the time it took from now, ms. */
  nextSuccess(): Promise<number>
  stop(): Promise<Account>
}

/** Makes the project of the load. Returns the administrator, whose session counts on every server of the database. */
export async function makeLoadProject(url: string): Promise<Known> {
  const known = await signIn(url)
  await known.api.projectCreate({ body: { name: project, description: '' } })
  return known
}

interface Load {
  cookie: string
  /** Begins the name of each disk. */
  prefix: string
  writers?: number | undefined
}

/** Starts `writers` that make disks and a reader that lists them. */
export function startDiskLoad(url: string, { cookie, prefix, writers = 4 }: Load): DiskLoad {
  const agent = new Agent({ keepAlive: true })
  const account: Account = {
    acknowledged: new Set(),
    refused: new Set(),
    unknown: new Set(),
    wrong: [],
    slowest: 0,
  }
  let isStopped = false
  const waiting: (() => void)[] = []
  const headers = { cookie, 'content-type': 'application/json' }

  async function write(name: string): Promise<void> {
    const body = JSON.stringify({
      name,
      description: '',
      size: GiB,
      disk_source: { type: 'blank', block_size: 4096 },
    })
    const began = performance.now()
    const answer = await ask(url, `/v1/disks?project=${project}`, {
      method: 'POST',
      headers,
      body,
      agent,
    }).catch(() => undefined)
    account.slowest = Math.max(account.slowest, performance.now() - began)
    if (answer?.status === 201) {
      account.acknowledged.add(name)
      for (const done of waiting.splice(0)) done()
      return
    }
    if (answer?.status === 503 && answer.headers['retry-after'] !== undefined) account.refused.add(name)
    else if (!answer || answer.text.includes('outcome is unknown')) account.unknown.add(name)
    else account.wrong.push(`${answer.status} ${answer.text}`)
    await pause(20)
  }
  async function writer(id: number): Promise<void> {
    for (let i = 0; !isStopped; i++) await write(`${prefix}-${id}-${i}`)
  }
  async function reader(): Promise<void> {
    while (!isStopped) {
      const answer = await ask(url, `/v1/disks?project=${project}&limit=2`, { headers, agent }).catch(
        () => undefined,
      )
      const isRefused = answer?.status === 503 && answer.headers['retry-after'] !== undefined
      if (answer && answer.status !== 200 && !isRefused) account.wrong.push(`${answer.status} ${answer.text}`)
      await pause(20)
    }
  }
  const all = [reader(), ...Array.from({ length: writers }, (_, i) => writer(i))]
  return {
    account,
    nextSuccess: async () => {
      const began = performance.now()
      await new Promise<void>((resolve) => waiting.push(resolve))
      return performance.now() - began
    },
    stop: async () => {
      isStopped = true
      await Promise.all(all)
      agent.destroy()
      return account
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Compares the database with the answers. Empty if every acknowledged write is there and all sums are exact. */
export async function differences(databaseUrl: string, accounts: readonly Account[]): Promise<string[]> {
  const engine = openPostgres(databaseUrl, () => undefined)
  try {
    await untilBack(engine)
    const { disks, usage } = await engine.transaction('read', async (tx) => ({
      disks: await tx.selectFrom('disk').select(['name', 'size']).execute(),
      usage: await tx.selectFrom('usage').select('storage').where('storage', '>', 0).execute(),
    }))
    const bytes = disks.length * GiB
    // The project, its silo and the fleet each have a row.
    const sums = usage.map(({ storage }) => storage)
    return [
      ...lostOrInvented(new Set(disks.map(({ name }) => name)), accounts),
      ...(sums.length === 3 && sums.every((sum) => sum === bytes)
        ? []
        : [`${disks.length} disks of 1 GiB, but ${sums.join(', ')} bytes provisioned`]),
      ...accounts.flatMap(({ wrong }) => wrong),
    ]
  } finally {
    await engine.close()
  }
}

/** A crash may be known to the database a moment later than to those who have caused it. */
async function untilBack(engine: PostgresEngine): Promise<void> {
  for (let tries = 50; ; tries--) {
    try {
      return await engine.transaction('read', () => Promise.resolve())
    } catch (error) {
      if (tries === 1) throw error
      await pause(100)
    }
  }
}

function lostOrInvented(stored: ReadonlySet<string>, accounts: readonly Account[]): string[] {
  return accounts.flatMap(({ acknowledged, refused }) => [
    ...[...acknowledged].filter((name) => !stored.has(name)).map((name) => `lost ${name}`),
    ...[...refused].filter((name) => stored.has(name)).map((name) => `refused, but stored ${name}`),
  ])
}
