/** The handler of every operation. The map is total: an operation without one does not compile. */
import type { Handlers } from './context.ts'
import { affinityGroups } from './resources/affinity-group.ts'
import { disks } from './resources/disk.ts'
import { diskImports } from './resources/disk-import.ts'
import { floatingIps } from './resources/floating-ip.ts'
import { images } from './resources/image.ts'
import { instances } from './resources/instance.ts'
import { ipPools } from './resources/ip-pool.ts'
import { metrics } from './resources/metric.ts'
import { networkInterfaces } from './resources/network-interface.ts'
import { policies } from './resources/policy.ts'
import { projects } from './resources/project.ts'
import { session } from './resources/session.ts'
import { silo } from './resources/silo.ts'
import { snapshots } from './resources/snapshot.ts'
import { sshKeys } from './resources/ssh-key.ts'
import { subnets } from './resources/subnet.ts'
import { timeseriesQueries } from './resources/timeseries-query.ts'
import { vpcs } from './resources/vpc.ts'

export const handlers: Handlers = {
  ...session,
  ...silo,
  ...policies,
  ...sshKeys,
  ...projects,
  ...instances,
  ...disks,
  ...diskImports,
  ...snapshots,
  ...images,
  ...vpcs,
  ...subnets,
  ...networkInterfaces,
  ...ipPools,
  ...floatingIps,
  ...affinityGroups,
  ...metrics,
  ...timeseriesQueries,
}
