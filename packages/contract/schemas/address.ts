/** Addresses and networks. Apart from the other scalars, because they bring the address library along. */
import { parseIp, parseNet } from '../rules/ip.ts'
import { named, text } from '../schema.ts'

export const Ip = text({ format: 'ip', check: (value) => (parseIp(value) ? undefined : 'invalid IP address syntax') })
const netProblem = (family?: 4 | 6) => (value: string) => {
  const net = parseNet(value)
  return net && (!family || net.base.family === family) ? undefined : 'invalid IP network syntax, expected address/width'
}
export const IpNet = named('IpNet', text({ check: netProblem() }))
export const Ipv4Net = named('Ipv4Net', text({ check: netProblem(4) }))
export const Ipv6Net = named('Ipv6Net', text({ check: netProblem(6) }))
export const MacAddr = named('MacAddr', text())
