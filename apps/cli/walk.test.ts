/** From an empty server to a login prompt by commands alone, with the server's real program. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { admin, serve, type ServerProcess } from '@purlin/server/testing/process'
import { signIn } from '@purlin/server/testing/requests'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShell, type HowToRun, type Ran, type Shell } from './testing/shell.ts'

let server: ServerProcess
let shell: Shell
beforeAll(async () => {
  server = await serve()
  shell = openShell()
})
afterAll(async () => {
  shell.close()
  await server.stop()
})

/** The server's clock is the real one: the commands that wait do so briefly. */
const briefly = (): Promise<void> => setTimeout(100)
const purlin = (line: string, how?: HowToRun): Promise<Ran> =>
  shell.run(line.split(' '), { sleep: briefly, ...how })
async function done(line: string, how?: HowToRun): Promise<string> {
  const { code, out, err } = await purlin(line, how)
  expect([code, err], line).toEqual([0, err])
  return out
}
const nothing = 'There is nothing to change.\n'

const document = `purlin: 1
ip_pools:
  - name: default
    description: ''
    ranges:
      - first: 10.20.0.10
        last: 10.20.0.90
    silos:
      - silo: ${admin.silo}
        is_default: true
projects:
  - name: first
    description: made by a document
    vpcs:
      - name: default
        subnets:
          - name: rows
            description: ''
            ipv4_block: 10.40.0.0/24
`

it('commands lead from an empty server to a login prompt, and a document is applied once', async () => {
  const { api } = await signIn(server.url)
  const confirm = async (_: number, notes: string) => {
    const [, userCode = ''] = /enter ([A-Z]{4}-[A-Z]{4})/.exec(notes) ?? []
    await api.deviceAuthConfirm({ body: { userCode } })
  }
  await done(`login --host ${server.url}`, { sleep: confirm })

  const file = join(shell.home, 'all.yaml')
  writeFileSync(file, document)
  expect(await done(`apply -f ${file}`)).toContain('+ project first\n')
  expect(await purlin(`apply -f ${file}`)).toEqual({ code: 0, out: '', err: nothing })

  const image = join(shell.home, 'image.raw')
  writeFileSync(image, Buffer.alloc(4096, 'boot'))
  await done(`image upload --project first --name disk --os none --version 1 --file ${image}`)
  const { id } = JSON.parse(await done('image view --project first --image disk --json')) as { id: string }
  const boot = {
    type: 'create',
    name: 'boot',
    description: '',
    size: 2 ** 30,
    disk_source: { type: 'image', image_id: id },
  }
  const body = {
    name: 'hello',
    description: '',
    hostname: 'hello',
    ncpus: 1,
    memory: 2 ** 30,
    boot_disk: boot,
    network_interfaces: { type: 'default' },
    external_ips: [{ type: 'ephemeral' }],
  }
  const request = join(shell.home, 'instance.json')
  writeFileSync(request, JSON.stringify(body))
  const created = await done(`instance create --project first --file ${request} --wait running --json`)
  expect(JSON.parse(created)).toMatchObject({ name: 'hello', run_state: 'running' })

  const leave = new AbortController()
  const serial = await purlin('instance serial console --project first --instance hello', {
    signal: leave.signal,
    onOut: (out) => out.includes('login:') && leave.abort(),
  })
  expect(serial.out).toMatch(/Purlin firmware[^]*login:/)

  writeFileSync(file, await done('export --project first'))
  expect(readFileSync(file, 'utf8')).toContain('name: hello')
  expect(await purlin(`apply -f ${file}`)).toEqual({ code: 0, out: '', err: nothing })
})
