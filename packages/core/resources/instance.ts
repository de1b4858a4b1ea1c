/** Instances: reading them. What changes them is by subject in the folder beside this file. */
import type { Family } from '../context.ts'
import { mapPage, pageByName } from '../pages.ts'
import { resolve } from '../resolve.ts'
import { ephemeralIps, listExternalIps } from './external-ip.ts'
import { serialConsole } from './instance/console.ts'
import { creation } from './instance/create.ts'
import { instanceDisks } from './instance/disks.ts'
import { lifecycle } from './instance/lifecycle.ts'
import { instanceView } from './instance/view.ts'
import { sshKeyView } from './ssh-key.ts'

type Reads = 'instanceList' | 'instanceView' | 'instanceSshPublicKeyList' | 'instanceExternalIpList'
type Rest =
  | keyof typeof serialConsole
  | keyof typeof creation
  | keyof typeof ephemeralIps
  | keyof typeof instanceDisks
  | keyof typeof lifecycle

export const instances: Family<Reads | Rest> = {
  async instanceList(ctx, { query }) {
    const project = await resolve(ctx, 'project', { project: query.project })
    const rows = ctx.tx.selectFrom('instance').selectAll().where('projectId', '=', project.id)
    return mapPage(await pageByName(ctx, query, rows), instanceView)
  },
  async instanceView(ctx, { params, query }) {
    return instanceView(await resolve(ctx, 'instance', { ...params, ...query }))
  },
  async instanceSshPublicKeyList(ctx, { params, query }) {
    const instance = await resolve(ctx, 'instance', { ...params, project: query.project })
    const rows = ctx.tx
      .selectFrom('sshKey')
      .innerJoin('instanceSshKey', 'instanceSshKey.sshKeyId', 'sshKey.id')
      .selectAll('sshKey')
      .where('instanceSshKey.instanceId', '=', instance.id)
    return mapPage(await pageByName(ctx, query, { rows, table: 'sshKey' }), sshKeyView)
  },
  async instanceExternalIpList(ctx, { params, query }) {
    const instance = await resolve(ctx, 'instance', { ...params, ...query })
    return { items: await listExternalIps(ctx, instance.id), nextPage: null }
  },
  ...creation,
  ...lifecycle,
  ...instanceDisks,
  ...ephemeralIps,
  ...serialConsole,
}
