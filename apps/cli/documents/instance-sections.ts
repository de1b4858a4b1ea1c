/** Instances in a document, with their disks, network interfaces and external addresses. */
import { documentPart } from '@purlin/contract/commands/documents'
import type { Api, Row } from '../http/api.ts'
import { attachedDisks, externalIps, interfaces } from './attachments.ts'
import { obstacleFor } from './obstacles.ts'
import { plain, type At, type Section } from './section.ts'

const isOff = (state: unknown): boolean =>
  ['stopped', 'stopping', 'failed', 'creating'].includes(String(state))

const resized = ['ncpus', 'memory', 'cpu_platform']

const plainInstances = plain('instance', {
  read: async (row, source) => {
    const boot = await source.nameOf('diskView', 'disk', row['boot_disk_id'])
    return {
      boot_disk: boot === null ? null : { type: 'attach', name: boot },
      start: !isOff(row['run_state']),
    }
  },
  // The update needs all fields, and names the boot disk alone.
  bodyOf: ({ boot_disk: disk, ...body }) => ({
    ...Object.fromEntries(documentPart('instance').changeable.map((key) => [key, body[key] ?? null])),
    boot_disk: (disk as Row | undefined)?.['name'] ?? null,
  }),
  async obstacle(source, at, { verb, body, keys = [] }) {
    const instance = String(body['name'])
    if (verb === 'delete') return obstacleFor(source, { ...at, instance }, 'delete')
    if (keys.includes('boot_disk')) return obstacleFor(source, { ...at, instance }, 'updateBootDisk')
    const isResized = verb === 'update' && resized.some((key) => keys.includes(key))
    return isResized ? obstacleFor(source, { ...at, instance }, 'resize') : undefined
  },
  parts: [attachedDisks, interfaces, externalIps],
})

/**
 * Nothing of an instance shows its user data or its SSH keys, so a document has none unless they are written into it.
 * Instances are created stopped, because running ones cannot be added to groups.
 */
export const instances: Section = {
  ...plainInstances,
  create: (api, at, body) => plainInstances.create(api, at, { ...body, start: false }),
}

/** As with a creation, an instance starts unless its body says otherwise; without a hostname it is none of a creation. */
const isStarted = ({ start, hostname }: Row): boolean =>
  start === true || (start == null && hostname !== undefined)

/** Starts the instances that shall run. None is stopped. */
export const starts: Section = {
  key: plainInstances.key,
  noun: 'start of instance',
  parentKey: 'instance',
  fields: ['name', 'start'],
  changeable: ['start'],
  again: (bodies) => bodies.filter(isStarted).map(({ name }) => ({ name, start: true })),
  list: async ({ api }, at) =>
    (await api.all('instanceList', { query: at })).map(({ name, run_state }) => ({
      name,
      start: !isOff(run_state),
    })),
  create: startInstance,
  update: startInstance,
  remove: () => Promise.resolve(),
  parts: [],
}

async function startInstance(api: Api, at: At, { name }: Row): Promise<void> {
  const one = { params: { instance: name }, query: at }
  while ((await api.call('instanceView', one))['run_state'] === 'creating') await api.pause()
  await api.call('instanceStart', one)
}
