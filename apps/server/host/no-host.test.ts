import { afterAll, expect, it, vi } from 'vitest'
import { killAll, newFolder } from '../testing/children.ts'
import { startHostProcess } from '../testing/cluster/hosts.ts'
import { runProgram, serve } from '../testing/process.ts'
import { signIn } from '../testing/requests.ts'

const patient = { timeout: 60_000, interval: 50 }
afterAll(killAll)

it('a server without a host runs instances on the hosts that join it, and asks for one until then', async () => {
  const server = await serve({ env: { PURLIN_MACHINES: 'none' } })
  expect(server.said()).toContain('\nThis server has no host: instances run on hosts that have joined.\n')
  const { api } = await signIn(server.url)
  expect((await api.sledList({ query: {} })).items).toEqual([])
  const query = { project: 'there' }
  await api.projectCreate({ body: { name: 'there', description: '' } })
  const { id } = await api.instanceCreate({
    query,
    body: {
      name: 'web',
      description: '',
      hostname: 'web',
      ncpus: 1,
      memory: 2 ** 30,
      networkInterfaces: { type: 'none' },
    },
  })
  const view = () => api.instanceView({ params: { instance: id }, query: {} })
  const noSled = expect.stringContaining('The system has no sled. Ask an operator to add a host') as string
  await vi.waitFor(async () => expect((await view()).lastError).toEqual(noSled), patient)
  expect((await view()).runState).toBe('stopped')
  await startHostProcess(api, { sleds: 1 })
  await api.instanceStart({ params: { instance: id }, query: {} })
  await vi.waitFor(async () => expect((await view()).runState).toBe('running'), patient)
  await server.stop()
})

it('the demo of a server without a host says that it needs one', async () => {
  const args = ['--demo', '--machines', 'none', '--port', '0', '--data-dir', newFolder().path]
  const program = runProgram({ args })
  expect(await program.ended).toBe(1)
  expect(program.lines().at(-1)).toBe(
    'purlin: The demo needs a host, and the system has none: leave out --machines none.',
  )
})
