/** Addresses and networks. What is wrong with one is judged in validate.ts alone, which knows the formats. */
import { named, text } from '../schema.ts'

export const Ip = text({ format: 'ip' })
export const IpNet = named('IpNet', text({ format: 'ip-net' }))
export const Ipv4Net = named('Ipv4Net', text({ format: 'ipv4-net' }))
export const Ipv6Net = named('Ipv6Net', text({ format: 'ipv6-net' }))
export const MacAddr = named('MacAddr', text())
