/** A server in its own process, which can be killed at any moment, and clients that record its acknowledgements. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ApiError, createClient, type Client } from '@purlin/contract/client'
import type { Transport } from '@purlin/contract/http'
import { operations, type Operations } from '@purlin/contract/operations'
import { GiB } from '@purlin/contract/rules/limits'
import type { Tx } from '#/db/tables.ts'

const main = fileURLToPath(import.meta.resolve('@purlin/server/process/main'))
const swiftPasswords = ['--import', import.meta.resolve('@purlin/server/testing/swift-passwords')]

export interface ServerProcess {
  url: string
  /** Kills it. */
  kill(): Promise<void>
}

/** Starts a server and waits until it prints its address. Throws with its output if it does not. */
export async function startProcess(dataDir: string, more: string[] = []): Promise<ServerProcess> {
  const flags = ['--port', '0', '--data-dir', dataDir, '--log-level', 'error', ...more]
  const child = spawn(process.execPath, [...swiftPasswords, main, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const url = await readiness(child)
  return {
    url,
    kill: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

function readiness(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const hear = (text: string) => {
      said += text
      const url = /ready at (\S+)/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout?.setEncoding('utf8').on('data', hear)
    child.stderr?.setEncoding('utf8').on('data', hear)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${said}`)))
  })
}

/** Signs in as a user of the demonstration and returns its cookie. */
export async function signIn(url: string, username: string, password: string): Promise<string> {
  const response = await fetch(`${url}/v1/login/engineering/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  if (response.status !== 204) throw new Error(`no sign-in: ${response.status}`)
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Sends requests to a server, wherever it is at that time. */
export const transportTo =
  (url: () => string, cookie: string): Transport =>
  async ({ method, url: path, headers, body }) => {
    const response = await fetch(url() + path, {
      method,
      headers: { ...headers, cookie },
      ...(body === undefined ? {} : { body }),
    })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  }

/**
 * The state of one resource as its client knows it: null if it does not exist; else its id and, for a disk, its
 * instance.
 */
type Known = { id: string; instanceId?: string | null; description?: string } | null
type Kind = 'project' | 'instance' | 'disk'

/** A client with a separate project: it creates and changes as fast as it can, and records the acknowledgements. */
export class Bookkeeper {
  /** Answers that a request must never get. */
  readonly failures: string[] = []
  /** Answers that the database is away. */
  readonly outages: string[] = []
  acknowledged = 0
  #api: Client<Operations>
  #project: string
  #book = new Map<string, Known>()
  /** Sent and not answered: it may have happened or not. */
  #doubt = new Set<string>()
  #isStopped = false

  constructor(name: string, url: () => string, cookie: string) {
    this.#project = name
    this.#api = createClient(operations, transportTo(url, cookie))
  }

  /** Works until it is stopped, the server is gone, or the outcome of a request is unknown: `audit` finds it out. */
  async work(): Promise<void> {
    while (!this.#isStopped) if (!(await this.#step())) return
  }

  /** Ends the work after the current request. */
  stop(): void {
    this.#isStopped = true
  }

  /** Compares the record with the rows, which decide the outcome of unanswered requests. Returns the differences. */
  async audit(tx: Tx): Promise<string[]> {
    const project = await tx
      .selectFrom('project')
      .selectAll()
      .where('name', '=', this.#project)
      .executeTakeFirst()
    const wrong: string[] = []
    for (const [key, known] of this.#book) {
      const found = await this.#find(tx, key, project?.id ?? '')
      const fits = JSON.stringify(found) === JSON.stringify(known)
      if (!fits && !this.#doubt.has(key))
        wrong.push(
          `${this.#project} ${key}: acknowledged ${JSON.stringify(known)}, found ${JSON.stringify(found)}`,
        )
      this.#book.set(key, found)
    }
    this.#doubt.clear()
    return wrong
  }

  async #find(tx: Tx, key: string, projectId: string): Promise<Known> {
    const [kind, name] = key.split(' ') as [Kind, string]
    if (kind === 'project') {
      const row = await tx
        .selectFrom('project')
        .select(['id', 'description'])
        .where('name', '=', name)
        .executeTakeFirst()
      return row ?? null
    }
    if (kind === 'instance') {
      const rows = tx.selectFrom('instance').select('id').where('projectId', '=', projectId)
      return (await rows.where('name', '=', name).executeTakeFirst()) ?? null
    }
    const rows = tx.selectFrom('disk').select(['id', 'instanceId']).where('projectId', '=', projectId)
    return (await rows.where('name', '=', name).executeTakeFirst()) ?? null
  }

  /** Sends one request. Its changes are uncertain until it is answered. False if the server is gone. */
  async #send<T>(keys: string[], request: () => Promise<T>, note: (answer: T) => void): Promise<boolean> {
    for (const key of keys) {
      this.#doubt.add(key)
      if (!this.#book.has(key)) this.#book.set(key, null)
    }
    try {
      note(await request())
      this.acknowledged++
    } catch (error) {
      if (!(error instanceof ApiError)) return false
      const line = `${error.operation}: ${error.status} ${error.message}`
      if (error.status === 503) this.outages.push(line)
      else if (error.status >= 500 && error.status !== 507) this.failures.push(line)
      if (error.message.includes('outcome is unknown')) return false
    }
    for (const key of keys) this.#doubt.delete(key)
    return true
  }

  #step(): Promise<boolean> {
    const query = { project: this.#project }
    const projectKey = `project ${this.#project}`
    const set = (key: string, known: Known) => void this.#book.set(key, known)
    if (!this.#book.get(projectKey)) {
      const body = { name: this.#project, description: '' }
      return this.#send(
        [projectKey],
        () => this.#api.projectCreate({ body }),
        ({ id }) => set(projectKey, { id, description: '' }),
      )
    }
    const number = Math.floor(Math.random() * 4)
    const [instance, disk] = [`vm-${number}`, `disk-${Math.floor(Math.random() * 4)}`]
    const [instanceKey, diskKey] = [`instance ${instance}`, `disk ${disk}`]
    const at = { params: { instance }, query }
    const blank = {
      description: '',
      size: GiB,
      diskSource: { type: 'blank' as const, blockSize: 512 as const },
    }
    const attached = (target: string) => (one: { id: string; state: { state: string } }) =>
      set(diskKey, { id: one.id, instanceId: one.state.state === 'attached' ? target : null })
    const id = this.#book.get(instanceKey)?.id ?? ''
    const steps: (() => Promise<boolean>)[] = [
      () => {
        const body = { description: String(Math.random()) }
        const request = () => this.#api.projectUpdate({ params: query, body })
        return this.#send([projectKey], request, (view) =>
          set(projectKey, { id: view.id, description: view.description }),
        )
      },
      () =>
        this.#send(
          [diskKey],
          () => this.#api.diskCreate({ query, body: { name: disk, ...blank } }),
          (view) => set(diskKey, { id: view.id, instanceId: null }),
        ),
      () =>
        this.#send(
          [diskKey],
          () => this.#api.diskDelete({ params: { disk }, query }),
          () => set(diskKey, null),
        ),
      () =>
        this.#send([diskKey], () => this.#api.instanceDiskAttach({ ...at, body: { disk } }), attached(id)),
      () =>
        this.#send([diskKey], () => this.#api.instanceDiskDetach({ ...at, body: { disk } }), attached(id)),
      () => this.#create(instance, disk),
      () =>
        this.#send(
          [],
          () => this.#api.instanceStart(at),
          () => undefined,
        ),
      () =>
        this.#send(
          [],
          () => this.#api.instanceStop(at),
          () => undefined,
        ),
      () =>
        this.#send(
          [],
          () => this.#api.instanceReboot(at),
          () => undefined,
        ),
      () => this.#remove(instance),
    ]
    return steps[Math.floor(Math.random() * steps.length)]?.() ?? Promise.resolve(true)
  }

  #create(instance: string, disk: string): Promise<boolean> {
    const [instanceKey, diskKey] = [`instance ${instance}`, `disk ${disk}`]
    const withDisk = Math.random() < 0.5
    const diskSource = { type: 'blank' as const, blockSize: 512 as const }
    const body = {
      name: instance,
      description: '',
      ncpus: 1,
      memory: GiB,
      hostname: instance,
      start: Math.random() < 0.5,
      externalIps: Math.random() < 0.3 ? [{ type: 'ephemeral' as const }] : [],
      bootDisk: withDisk
        ? { type: 'create' as const, name: disk, description: '', size: GiB, diskSource }
        : null,
    }
    const request = () => this.#api.instanceCreate({ query: { project: this.#project }, body })
    return this.#send(withDisk ? [instanceKey, diskKey] : [instanceKey], request, ({ id, bootDiskId }) => {
      this.#book.set(instanceKey, { id })
      if (bootDiskId != null) this.#book.set(diskKey, { id: bootDiskId, instanceId: id })
    })
  }

  #remove(instance: string): Promise<boolean> {
    const instanceKey = `instance ${instance}`
    const id = this.#book.get(instanceKey)?.id
    // Its disks stay and are free: they are changed, too.
    const attached = [...this.#book].filter(
      ([key, known]) => key.startsWith('disk ') && known?.instanceId === id && id !== undefined,
    )
    const request = () =>
      this.#api.instanceDelete({ params: { instance }, query: { project: this.#project } })
    return this.#send([instanceKey, ...attached.map(([key]) => key)], request, () => {
      this.#book.set(instanceKey, null)
      for (const [key, known] of attached) this.#book.set(key, known && { id: known.id, instanceId: null })
    })
  }
}
