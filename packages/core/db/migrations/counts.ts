/** The counts of rows that a database had before rows were counted (steps 0005 to 0007). */
import { sql } from 'kysely'
import type { Db } from './step.ts'

// The tables at that time: kind, table, condition, and the columns with the ids of the holders.
type Counted = readonly [string, string, string, string[]]
const counted: readonly Counted[] = [
  ['sshKey', 'sshKey', 'true', ['siloUserId']],
  ['project', 'project', 'true', ['siloId']],
  ['instance', 'instance', 'true', ['projectId', 'siloId']],
  ['disk', 'disk', 'true', ['projectId', 'siloId']],
  ['snapshot', 'snapshot', 'true', ['projectId', 'siloId']],
  ['image', 'image', 'true', ['projectId', 'siloId']],
  ['vpcSubnet', 'vpcSubnet', 'true', ['vpcId']],
  ['floatingIp', 'externalIp', "kind = 'floating'", ['projectId', 'silo']],
  ['vpc', 'vpc', 'true', ['projectId', 'silo']],
  ['affinityGroup', 'affinityGroup', "kind = 'affinity'", ['projectId']],
  ['antiAffinityGroup', 'affinityGroup', "kind = 'anti_affinity'", ['projectId']],
]
const countedInNetworks: readonly Counted[] = [
  ['vpcRouter', 'vpcRouter', 'true', ['vpcId']],
  ['vpcRouterRoute', 'routerRoute', 'true', ['vpcRouterId']],
  ['internetGateway', 'internetGateway', 'true', ['vpcId']],
  ['internetGatewayIpPool', 'internetGatewayIpPool', 'true', ['internetGatewayId']],
  ['internetGatewayIpAddress', 'internetGatewayIpAddress', 'true', ['internetGatewayId']],
]

export const fillTallies = (db: Db): Promise<void> => fill(db, counted)
export const fillNetworkTallies = (db: Db): Promise<void> => fill(db, countedInNetworks)

async function fill(db: Db, list: readonly Counted[]): Promise<void> {
  for (const [kind, table, where, columns] of list)
    for (const column of columns) {
      const rows = sql`select * from ${sql.table(table)} where ${sql.raw(where)}`
      const held =
        column === 'silo'
          ? sql`select project."siloId" as holder from (${rows}) as one join project on project.id = one."projectId"`
          : sql`select ${sql.ref(column)} as holder from (${rows}) as one`
      await sql`insert into tally ("holderId", kind, count)
        select holder, ${sql.lit(kind)}, count(*) from (${held}) as held where holder is not null group by holder`.execute(
        db,
      )
    }
}

/** Until then the tallies of silos counted what their projects had. */
export async function reserveWhatThereIs(db: Db): Promise<void> {
  await sql`update tally set reserved = count where "holderId" in (select id from project)`.execute(db)
}
