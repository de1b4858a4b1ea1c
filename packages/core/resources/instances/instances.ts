/** The operations of instances. The files next to this one implement them, by subject. */
import { together } from '#/concurrency/together.ts'
import type { Family } from '#/context.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import { resolve } from '#/auth/resolve.ts'
import { claimSnat } from '../addresses/snat-claims.ts'
import { listOfSilo } from './of-silo.ts'
import { ephemeralIps, listExternalIps, withExternalIps } from '../addresses/external-ips.ts'
import { display } from './console/display.ts'
import { serialConsole } from './console/serial.ts'
import { createInstance } from './create.ts'
import { instanceDisks } from './disks.ts'
import { reboot, remove, start, stop, update } from './lifecycle.ts'
import { instanceView, fromHost } from './view.ts'
import { plain, withDetails } from '../kind/plain.ts'
import { unusedInstances } from '../kind/unused.ts'
import { ownKeys, sshKeyView } from '../access/ssh-keys.ts'

const instance = plain('instance', {
  view: instanceView,
  unused: unusedInstances,
  create: createInstance,
  update,
  remove,
})

export const instances: Family<
  | `instance${'List' | 'Create' | 'View' | 'Update' | 'Delete' | 'Start' | 'Stop' | 'Reboot'}`
  | 'instanceListOfSilo'
  | 'instanceSshPublicKeyList'
  | 'instanceExternalIpList'
  | keyof typeof display
  | keyof typeof serialConsole
  | keyof typeof ephemeralIps
  | keyof typeof instanceDisks
> = {
  ...instance.handlers,
  async instanceCreate(ctx, input) {
    if (input.body.networkInterfaces.type !== 'none') await claimSnat(ctx)
    const made = instance.handlers.instanceCreate(ctx, input)
    const [view] = await together([made, ...(input.body.sshPublicKeys == null ? [ownKeys(ctx)] : [])])
    return view
  },
  async instanceList(ctx, { query }) {
    if (!query.externalIps) return instance.handlers.instanceList(ctx, { query })
    return withExternalIps(ctx, await instance.handlers.instanceList(ctx, { query: withDetails(query) }))
  },
  async instanceView(ctx, { params, query }) {
    const row = await resolve(ctx, 'instance', { ...params, ...query })
    return { ...instanceView(row), ...(await fromHost(ctx, row)) }
  },
  instanceListOfSilo: listOfSilo,
  instanceStart: instance.act(start),
  instanceStop: (ctx, input) => instance.act((_, row) => stop(ctx, row, input.query))(ctx, input),
  instanceReboot: instance.act(reboot),

  async instanceSshPublicKeyList(ctx, { params, query }) {
    const { id } = await resolve(ctx, 'instance', { ...params, ...query })
    const rows = ctx.tx
      .selectFrom('sshKey')
      .innerJoin('instanceSshKey', 'instanceSshKey.sshKeyId', 'sshKey.id')
      .where('instanceSshKey.instanceId', '=', id)
    return mapPage(await pageByName(ctx, query, { rows, table: 'sshKey' }), sshKeyView)
  },
  async instanceExternalIpList(ctx, { params, query }) {
    const { id } = await resolve(ctx, 'instance', { ...params, ...query })
    return { items: await listExternalIps(ctx, id), nextPage: null }
  },
  ...instanceDisks,
  ...ephemeralIps,
  ...display,
  ...serialConsole,
}
