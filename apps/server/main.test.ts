import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('main.ts', import.meta.url))
let folder: string
let children: ChildProcess[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-main-'))
  children = []
})
afterEach(async () => {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  children.push(child)
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  return { child, ended, errors: text(child.stderr), output: () => text(child.stdout) }
}

async function serve(args: string[] = [], env: Record<string, string> = {}) {
  const running = start(['--port', '0', '--data-dir', join(folder, 'data'), ...args], env)
  let said = ''
  const isReady = () => said.includes('Purlin is ready at')
  const ready = new Promise<void>((resolve) => {
    running.child.stdout.on('data', (chunk: Buffer) => {
      said += String(chunk)
      if (isReady()) resolve()
    })
  })
  await Promise.race([ready, running.ended])
  if (!isReady()) throw new Error(`the server ended at once: ${await running.errors}`)
  return { ...running, said: () => said, url: /http:\S+/.exec(said)?.[0] ?? '' }
}

describe('the server’s process', () => {
  it('starts, tells how to sign in once, answers, and ends on SIGTERM', async () => {
    const first = await serve()
    const password = /password {2}(\S+)/.exec(first.said())?.[1] ?? ''
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ username: 'admin', password })
    const login = await fetch(`${first.url}/v1/login/main/local`, { method: 'POST', headers, body })
    expect(login.status).toBe(204)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const log = await first.errors
    expect(log).toContain('"msg":"shutting down"')
    expect(log).not.toContain(password)

    const second = await serve()
    expect(second.said()).toMatch(/^Purlin is ready at \S+\n$/)
    const again = await fetch(`${second.url}/v1/login/main/local`, { method: 'POST', headers, body })
    expect(again.status).toBe(204)
    second.child.kill('SIGINT')
    expect(await second.ended).toBe(0)
  })

  it('shares its data folder with nobody', async () => {
    await serve()
    const other = start(['--port', '0', '--data-dir', join(folder, 'data')])
    expect(await other.ended).toBe(1)
    expect(await other.errors).toMatch(
      /^purlin: Another Purlin server is using the data folder \S+\. Stop it/,
    )
  })

  it('says so when the port is in use, and makes no administrator that nobody sees', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const port = String((blocker.address() as AddressInfo).port)
    const data = ['--data-dir', join(folder, 'data')]
    const refused = start(['--port', port, ...data])
    expect(await refused.ended).toBe(1)
    expect(await refused.errors).toBe(
      `purlin: Port ${port} on 127.0.0.1 is in use. Stop what listens there, or choose another --port.\n`,
    )
    blocker.close()
    const next = await serve()
    expect(next.said()).toContain('This is the first start')
  })

  it('finishes a request that is under way', async () => {
    const { child, ended, url } = await serve([], { PURLIN_ADMIN_PASSWORD: 'pw' })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ username: 'admin', password: 'pw' })
    await Promise.all(
      Array.from({ length: 5 }, () => fetch(`${url}/v1/ping`).then((answer) => answer.text())),
    )
    const signIns = Array.from({ length: 5 }, () =>
      fetch(`${url}/v1/login/main/local`, { method: 'POST', headers, body }),
    )
    // Time for the requests to arrive; each takes a good part of this for its password.
    await new Promise((resolve) => setTimeout(resolve, 50))
    child.kill('SIGTERM')
    const statuses = (await Promise.all(signIns)).map((response) => response.status)
    expect(statuses).toEqual([204, 204, 204, 204, 204])
    expect(await ended).toBe(0)
  })

  it('says so when the database cannot be reached, without its password', async () => {
    const { ended, errors } = start(['--port', '0'], {
      PURLIN_DATABASE_URL: 'postgres://u:s3cret@127.0.0.1:1/x',
    })
    expect(await ended).toBe(1)
    expect(await errors).toBe(
      'purlin: The PostgreSQL database cannot be used: connect ECONNREFUSED 127.0.0.1:1\n',
    )
  })

  it('refuses flags that it does not know, with code 2', async () => {
    const { ended, errors } = start(['--prot', '80'])
    expect(await ended).toBe(2)
    expect(await errors).toBe("purlin: Unknown option '--prot'\nSee --help.\n")
  })

  it('shows help and version', async () => {
    const help = start(['--help'])
    expect(await help.output()).toContain('--data-dir FOLDER')
    expect(await help.ended).toBe(0)
    const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    expect(await start(['--version']).output()).toBe(`${manifest.version}\n`)
  })
})
