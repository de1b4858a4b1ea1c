/** The kinds of the network outside of the racks. */
import { byOperators, byTime, kind } from '../kind.ts'

export const addressLot = kind({
  noun: 'address lot',
  type: 'address-lot',
  field: 'addressLot',
  parent: null,
  counts: byOperators,
  orders: byTime,
})
export const loopbackAddress = kind({
  noun: 'loopback address',
  type: 'loopback-address',
  field: 'loopbackAddress',
  isNamed: false,
  parent: null,
  counts: byOperators,
})
