import { GiB } from '@purlin/contract/rules/limits'
import { sessionsOfUser } from '@purlin/contract/rules/counts'
import { afterEach, describe, expect, it } from 'vitest'
import { killAll, newFolder } from '../testing/children.ts'
import { addSession, fillFolder, inDatabase } from '../testing/prepared.ts'
import { admin, runProgram, serve } from '../testing/process.ts'
import { clientOf, trySignIn, type Api } from '../testing/requests.ts'

afterEach(killAll)

const query = { project: 'demo' }
const named = (name: string) => ({ name, description: '' })
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'

/** How one more is made that costs no quota, and which there are. */
interface Counted {
  make: (api: Api, name: string, snapshot: string) => Promise<unknown>
  list: (api: Api) => Promise<{ items: readonly unknown[] }>
}
const counted: Record<string, Counted> = {
  'project-per-silo': {
    make: (api, name) => api.projectCreate({ body: named(name) }),
    list: (api) => api.projectList({ query: {} }),
  },
  'instance-per-project': {
    make: (api, name) =>
      api.instanceCreate({
        query,
        body: { ...named(name), hostname: name, ncpus: 1, memory: GiB, start: false },
      }),
    list: (api) => api.instanceList({ query }),
  },
  'image-per-project': {
    make: (api, name, id) =>
      api.imageCreate({
        query,
        body: { ...named(name), os: '', version: '', source: { type: 'snapshot', id } },
      }),
    list: (api) => api.imageList({ query }),
  },
  'vpc-per-project': {
    make: (api, name) => api.vpcCreate({ query, body: { ...named(name), dnsName: name } }),
    list: (api) => api.vpcList({ query }),
  },
  'ssh-key-per-user': {
    make: (api, name) => api.currentUserSshKeyCreate({ body: { ...named(name), publicKey } }),
    list: (api) => api.currentUserSshKeyList({ query: {} }),
  },
}
const limitsOf = (most: number) =>
  Object.keys(counted)
    .map((name) => `${name}=${most}`)
    .join(',')

async function makeSnapshot(api: Api): Promise<string> {
  await api.projectCreate({ body: named('demo') })
  const diskSource = { type: 'blank', blockSize: 512 } as const
  await api.diskCreate({ query, body: { ...named('disk'), size: GiB, diskSource } })
  return (await api.snapshotCreate({ query, body: { ...named('snap'), disk: 'disk' } })).id
}

describe('limits on the number of resources', () => {
  it('concurrent creates beyond a limit get 507, also after the limits were raised', async () => {
    const folder = newFolder().path
    const cookie = await fillFolder(folder)
    let snapshot = ''
    for (const most of [3, 5]) {
      const server = await serve({ folder, args: ['--limits', limitsOf(most)] })
      const api = clientOf(server.url, cookie)
      snapshot ||= await makeSnapshot(api)
      for (const [limit, { make, list }] of Object.entries(counted)) {
        const before = (await list(api)).items.length
        const made = await Promise.allSettled(
          Array.from({ length: 12 }, (_, i) => make(api, `n-${most}-${i}`, snapshot)),
        )
        const refused = made.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown)
        expect([limit, refused.length]).toEqual([limit, 12 - most + before])
        for (const reason of refused)
          expect(reason).toMatchObject({
            status: 507,
            code: 'InsufficientCapacity',
            message: expect.stringContaining(`has ${most} of ${most}`) as string,
          })
        expect((await list(api)).items).toHaveLength(most)
      }
      await server.stop()
    }
  })

  it('a limit that there is not is refused at the start', async () => {
    const program = runProgram({ args: ['--limits', 'vpc-per-moon=1'] })
    expect(await program.ended).toBe(2)
    expect(program.lines()[0]).toContain('"vpc-per-moon" is none of ')
  })

  it('a user keeps fifty sessions: one more ends another one', async () => {
    const folder = newFolder().path
    await fillFolder(folder)
    for (let i = 0; i < sessionsOfUser; i++) addSession(folder)
    const server = await serve({ folder })
    const answer = await trySignIn(server.url, admin)
    expect(answer.status).toBe(204)
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    await clientOf(server.url, cookie).currentUserView({ query: {} })
    await server.stop()
    const sessions = inDatabase(folder, (db) => db.prepare('select count(*) as n from session').get()?.['n'])
    expect(sessions).toBe(sessionsOfUser)
  })
})
