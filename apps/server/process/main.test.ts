import { request } from 'node:http'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { killAll, newFolder } from '../testing/children.ts'
import { admin, type Program, runProgram, serve } from '../testing/process.ts'

let folder: string
beforeEach(() => {
  folder = join(newFolder().path, 'data')
})
afterEach(killAll)

const start = (args: string[], env: Record<string, string> = {}) => runProgram({ args, env })
const errors = (program: Program) => program.lines().join('\n')

describe('the server’s process', () => {
  it('starts, prints how to sign in once, answers, and ends on SIGTERM', async () => {
    const first = await serve({ folder, env: { PURLIN_ADMIN_PASSWORD: '' } })
    const password = /password {2}(\S+)/.exec(first.said())?.[1] ?? ''
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ username: 'admin', password })
    const login = await fetch(`${first.url}/v1/login/main/local`, { method: 'POST', headers, body })
    expect(login.status).toBe(204)
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    const log = errors(first)
    expect(log).toContain('"msg":"shutting down"')
    expect(log).not.toContain(password)

    const second = await serve({ folder })
    expect(second.said()).toMatch(/^Purlin is ready at \S+\n\nInstances are simulated: no guest boots\.\n$/)
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const again = await fetch(`${second.url}/v1/me`, { headers: { cookie } })
    expect(again.status).toBe(200)
    second.signal('SIGINT')
    expect(await second.ended).toBe(0)
  }, 60_000)

  it('shares its data folder with no other process', async () => {
    await serve({ folder })
    const other = start(['--port', '0', '--data-dir', folder])
    expect(await other.ended).toBe(1)
    expect(errors(other)).toMatch(/^purlin: Another Purlin server is using the data folder \S+\. Stop it/)
  })

  it('reports a port in use, and makes no administrator whose password is not shown', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const port = String((blocker.address() as AddressInfo).port)
    const second = start(['--port', port, '--data-dir', folder])
    expect(await second.ended).toBe(1)
    expect(errors(second)).toBe(
      `purlin: Port ${port} on 127.0.0.1 is in use. Stop what listens there, or choose another --port.`,
    )
    blocker.close()
    const next = await serve({ folder })
    expect(next.said()).toContain('This is the first start')
  })

  it('finishes a request that is under way', async () => {
    const { signal, ended, url } = await serve({ folder })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ username: 'admin', password: admin.password })
    await Promise.all(
      Array.from({ length: 5 }, () => fetch(`${url}/v1/ping`).then((answer) => answer.text())),
    )
    const { promise: status, resolve, reject } = Promise.withResolvers<number | undefined>()
    // The server has the request once it asks for its body.
    const signIn = request(`${url}/v1/login/main/local`, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length, expect: '100-continue' },
    })
    signIn.once('error', reject).once('response', (answer) => resolve(answer.resume().statusCode))
    signIn.once('continue', () => {
      signal('SIGTERM')
      signIn.end(body)
    })
    signIn.flushHeaders()
    expect(await status).toBe(204)
    expect(await ended).toBe(0)
  })

  it('reports a database that cannot be reached, without its password', async () => {
    const program = start(['--port', '0'], {
      PURLIN_DATABASE_URL: 'postgres://u:s3cret@127.0.0.1:1/x',
    })
    expect(await program.ended).toBe(1)
    expect(errors(program)).toBe(
      'purlin: The PostgreSQL database cannot be used: connect ECONNREFUSED 127.0.0.1:1',
    )
  })

  it('refuses flags that it does not know, with code 2', async () => {
    const program = start(['--prot', '80'])
    expect(await program.ended).toBe(2)
    expect(errors(program)).toBe("purlin: Unknown option '--prot'\nSee --help.")
  })

  it('shows help and version', async () => {
    const help = start(['--help'])
    expect(await help.ended).toBe(0)
    expect(help.said()).toContain('--data-dir FOLDER')
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    const version = start(['--version'])
    expect(await version.ended).toBe(0)
    expect(version.said()).toBe(`${manifest.version}\n`)
  })
})
