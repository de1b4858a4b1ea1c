import { byTime, kind } from '../kind.ts'

export const internetGateway = kind({
  noun: 'internet gateway',
  type: 'internet-gateway',
  field: 'gateway',
  parent: 'vpc',
  counts: { vpc: 200 },
  isTagged: true,
  orders: byTime,
  search: { list: 'internetGatewayList', rank: 9 },
  isReferred: true,
  tasks: { change_tags: 'internetGatewayTagsChange' },
})
export const internetGatewayIpPool = kind({
  noun: 'internet gateway IP pool',
  type: 'internet-gateway-ip-pool',
  field: 'pool',
  parent: 'internetGateway',
  counts: { internetGateway: 100 },
})
export const internetGatewayIpAddress = kind({
  noun: 'internet gateway IP address',
  type: 'internet-gateway-ip-address',
  field: 'address',
  parent: 'internetGateway',
  counts: { internetGateway: 1_000 },
})
