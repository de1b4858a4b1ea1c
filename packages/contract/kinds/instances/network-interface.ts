import { kind } from '../kind.ts'

export const networkInterface = kind({
  noun: 'network interface',
  type: 'instance-network-interface',
  field: 'interface',
  parent: 'instance',
  recorded: { primary: { field: 'isPrimary' }, transit_ips: { field: 'transitIpsJson', isList: true } },
  counts: { unlimited: 'an instance has few of them, see `limits.instance`' },
})
