/** Networks and addresses that screens read and offer to choose from, each read far enough for a picker. */
import { floatingIpList, projectIpPoolList, vpcList } from '@purlin/contract/operations/networks'
import type { OpShape, Result } from '@purlin/contract/op'
import { query } from '../../api.ts'
import { pickerLimit } from '../paging.ts'

type Item<O extends OpShape> = Result<O> extends { items: (infer I)[] } ? I : never
export type IpPool = Item<typeof projectIpPoolList>
export type FloatingIp = Item<typeof floatingIpList>
export type Vpc = Item<typeof vpcList>

/** The pools that the silo may use. */
export const poolsQuery = () => query(projectIpPoolList, { query: { limit: pickerLimit } })
export const floatingIpsQuery = (project: string) =>
  query(floatingIpList, { query: { project, limit: pickerLimit } })
export const vpcsQuery = (project: string) => query(vpcList, { query: { project, limit: pickerLimit } })
