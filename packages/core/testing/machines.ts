/** Instances in given states, rows that no operation shows, and drivers that do some calls in another way. */
import { readCounts } from '@purlin/contract/rules/counts'
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { GiB } from '@purlin/contract/rules/limits'
import type { InstanceTable, SledTable } from '#/db/tables.ts'
import type { SledDriver } from '#/ports.ts'
import { inDb } from './networks/networks.ts'
import { insertChild } from '#/resources/kind/rows.ts'
import type { TestWorld, Who } from './world.ts'
import { withoutRequest } from '#/context.ts'

export type NewInstance = Parameters<Client<Operations>['instanceCreate']>[0]['body']

/** The shortest timings: every simulated transition takes a tenth of a second. */
export const swift = {
  start: [100, 100],
  reboot: [100, 100],
  stop: [100, 100],
  migrate: [100, 100],
} as const

export const smallInstance = (name: string, more: Partial<NewInstance> = {}): NewInstance => ({
  name,
  description: '',
  ncpus: 1,
  memory: GiB,
  hostname: name,
  start: false,
  ...more,
})

/** The requests on an instance of `demo`, as one user. */
export function instancesOf(world: TestWorld, who: Who = 'projectCollaborator') {
  const client = world.as(who)
  const query = { project: 'demo' }
  const at = (instance: string) => ({ params: { instance }, query })
  return {
    create: (name: string, more?: Partial<NewInstance>) =>
      client.instanceCreate({ query, body: smallInstance(name, more) }),
    view: (name: string) => client.instanceView(at(name)),
    start: (name: string) => client.instanceStart(at(name)),
    stop: (name: string) => client.instanceStop(at(name)),
    forceStop: (instance: string) =>
      client.instanceStop({ params: { instance }, query: { ...query, force: true } }),
    reboot: (name: string) => client.instanceReboot(at(name)),
    remove: (name: string) => client.instanceDelete(at(name)),
    disks: (name: string) => client.instanceDiskList(at(name)),
    attach: (name: string, disk: string) => client.instanceDiskAttach({ ...at(name), body: { disk } }),
    detach: (name: string, disk: string) => client.instanceDiskDetach({ ...at(name), body: { disk } }),
    /** An update that changes only the given fields. */
    update: async (name: string, changes: Partial<Parameters<typeof client.instanceUpdate>[0]['body']>) => {
      const { ncpus, memory, bootDiskId, autoRestartPolicy, cpuPlatform } = await client.instanceView(
        at(name),
      )
      const same = {
        ncpus,
        memory,
        bootDisk: bootDiskId ?? null,
        autoRestartPolicy: autoRestartPolicy ?? null,
        cpuPlatform: cpuPlatform ?? null,
      }
      return client.instanceUpdate({ ...at(name), body: { ...same, ...changes } })
    },
    makeDisk: (name: string, sizeGiB = 1) =>
      client.diskCreate({
        query,
        body: { name, description: '', size: sizeGiB * GiB, diskSource: { type: 'blank', blockSize: 512 } },
      }),
  }
}

/** The row of an instance by name. */
export const rowOf = (world: TestWorld, name: string): Promise<InstanceTable> =>
  inDb(world, (tx) =>
    tx.selectFrom('instance').selectAll().where('name', '=', name).executeTakeFirstOrThrow(),
  )

/** Writes columns of an instance's row without any checks. */
export const forceRow = (world: TestWorld, name: string, set: Partial<InstanceTable>) =>
  inDb(world, (tx) => tx.updateTable('instance').set(set).where('name', '=', name).execute())

export const sledRows = (world: TestWorld): Promise<SledTable[]> =>
  inDb(world, (tx) => tx.selectFrom('sled').selectAll().orderBy('id').execute())

const kindOfGroup = { affinity: 'affinityGroup', anti_affinity: 'antiAffinityGroup' } as const

/** Makes an affinity or anti-affinity group with members, by their names; returns its id. */
export async function addGroup(
  world: TestWorld,
  group: {
    name: string
    kind: 'affinity' | 'anti_affinity'
    policy: 'allow' | 'fail'
    members?: string[]
    /** `demo` unless given */
    projectId?: string
  },
): Promise<string> {
  const { members = [], projectId = world.ids['demo'] ?? '', ...of } = group
  const id = world.world.ids.uuid()
  const now = world.clock.now()
  const rows = await Promise.all(members.map((name) => rowOf(world, name)))
  await inDb(world, async (tx) => {
    const made = { timeCreated: now, timeModified: now, tagsJson: null }
    const row = { id, ...of, description: '', projectId, ...made }
    await insertChild({ ...withoutRequest(tx), world: world.world }, kindOfGroup[of.kind], row)
    for (const row of rows)
      await tx.insertInto('affinityMember').values({ groupId: id, instanceId: row.id }).execute()
  })
  return id
}

/** Creates many empty anti-affinity groups directly: enough for a list of several pages, beyond the usual limit. */
export const addGroups = (world: TestWorld, names: readonly string[]) =>
  inDb(world, async (tx) => {
    const now = world.clock.now()
    const unlimited = { ...world.world, counts: readCounts('anti-affinity-group-per-project=1000000') }
    const group = {
      kind: 'anti_affinity' as const,
      policy: 'allow' as const,
      description: '',
      projectId: world.ids['demo'] ?? '',
      timeCreated: now,
      timeModified: now,
      tagsJson: null,
    }
    for (const name of names) {
      const row = { ...group, id: world.world.ids.uuid(), name }
      await insertChild({ ...withoutRequest(tx), world: unlimited }, 'antiAffinityGroup', row)
    }
  })

/** Sets the quota of silo `acme`. */
export const setQuota = (
  world: TestWorld,
  quota: Partial<Record<'quotaCpus' | 'quotaMemory' | 'quotaStorage', number>>,
) =>
  inDb(world, (tx) =>
    tx
      .updateTable('silo')
      .set(quota)
      .where('id', '=', world.ids['acme'] ?? '')
      .execute(),
  )

/** The driver with some of its calls replaced. */
export const altered = (sleds: SledDriver, changes: Partial<SledDriver>): SledDriver => ({
  keepsBytes: (sledId) => sleds.keepsBytes(sledId),
  switches: sleds.switches,
  hosts: () => sleds.hosts(),
  hold: (...args) => sleds.hold(...args),
  hardware: () => sleds.hardware(),
  watchHardware: (onChange) => sleds.watchHardware(onChange),
  addSled: (board) => sleds.addSled(board),
  install: (id, release) => sleds.install(id, release),
  diagnostics: () => sleds.diagnostics(),
  dropSled: (id) => sleds.dropSled(id),
  ensure: (...args) => sleds.ensure(...args),
  migrate: (...args) => sleds.migrate(...args),
  remove: (...args) => sleds.remove(...args),
  shutDown: (...args) => sleds.shutDown(...args),
  setLayers: (...args) => sleds.setLayers(...args),
  machines: (sledId) => sleds.machines(sledId),
  setNetwork: (...args) => sleds.setNetwork(...args),
  networks: (id) => sleds.networks(id),
  inspect: (...args) => sleds.inspect(...args),
  samples: (...args) => sleds.samples(...args),
  watch: (onChange) => sleds.watch(onChange),
  readConsole: (...args) => sleds.readConsole(...args),
  openConsole: (...args) => sleds.openConsole(...args),
  openDisplay: (...args) => sleds.openDisplay(...args),
  ...changes,
})

/** A driver whose calls fail from the moment that `isGone` is true, as if the process had ended there. */
export function endingWhen(isGone: () => boolean, sleds: SledDriver): SledDriver {
  const until =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    (...args: A) =>
      isGone() ? Promise.reject(new Error('the process has ended')) : call(...args)
  return altered(sleds, {
    install: until((...args) => sleds.install(...args)),
    ensure: until((...args) => sleds.ensure(...args)),
    remove: until((...args) => sleds.remove(...args)),
    shutDown: until((...args) => sleds.shutDown(...args)),
    setLayers: until((...args) => sleds.setLayers(...args)),
    machines: until((...args) => sleds.machines(...args)),
    migrate: until((...args) => sleds.migrate(...args)),
    inspect: until((...args) => sleds.inspect(...args)),
  })
}
