/** Addresses and networks. Core validates them by their formats. */
import { ref, string, unlimited } from '../schema.ts'

export const Ip = string({ format: 'ip' })
export const IpNet = ref('IpNet', string({ format: 'ip-net' }))
export const Ipv4Net = ref('Ipv4Net', string({ format: 'ipv4-net' }))
export const Ipv6Net = ref('Ipv6Net', string({ format: 'ipv6-net' }))
export const MacAddr = ref('MacAddr', string(unlimited))
