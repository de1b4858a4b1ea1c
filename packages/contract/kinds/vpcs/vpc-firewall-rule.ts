import { kind } from '../kind.ts'

export const vpcFirewallRule = kind({
  noun: 'firewall rule',
  type: 'vpc-firewall-rule',
  field: 'rule',
  parent: 'vpc',
  counts: { unlimited: 'they are replaced as a whole, see `limits.firewall`' },
})
