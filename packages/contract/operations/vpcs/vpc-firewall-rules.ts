/** The firewall rules of a VPC, which are replaced as a whole. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, defaulted, enumOf, integer, nullable, object, optional, ref, string, union, unlimited } from '#/schema.ts'
import { Ip, IpNet } from '#/schemas/address.ts'
import { identity, inProject } from '#/schemas/identity.ts'
import { uint8, uint16 } from '#/schemas/integers.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'

const ends = {
  vpc: { value: Name }, subnet: { value: Name }, instance: { value: Name }, ip: { value: Ip }, ip_net: { value: IpNet },
}
/** Which interfaces a rule applies to. */
const Target = ref('VpcFirewallRuleTarget', union('type', ends))
/** The other end: where a packet comes from or goes to. */
const HostFilter = ref('VpcFirewallRuleHostFilter', union('type', ends))
const PortRange = ref('L4PortRange', string({ maxLength: 11, isRule: true, pattern: '^[0-9]{1,5}(-[0-9]{1,5})?$' }))
const ParamRange = ref('IcmpParamRange', string({ maxLength: 7, isRule: true, pattern: '^[0-9]{1,3}(-[0-9]{1,3})?$' }))
const IcmpFilter = ref(
  'VpcFirewallIcmpFilter',
  object({ icmpType: uint8, code: optional(nullable(ParamRange)) }),
)
const Protocol = ref(
  'VpcFirewallRuleProtocol',
  union('type', { tcp: {}, udp: {}, icmp: { value: nullable(IcmpFilter) } }),
)
const most = (noun: string) => ({ count: limits.firewall.perRule, noun, isRule: true }) as const
const Filters = ref(
  'VpcFirewallRuleFilter',
  object({
    hosts: optional(nullable(array(HostFilter, most('hosts')))),
    ports: optional(nullable(array(PortRange, most('ports')))),
    protocols: optional(nullable(array(Protocol, most('protocols')))),
  }),
)
const rule = {
  status: ref('VpcFirewallRuleStatus', enumOf(['enabled', 'disabled'])),
  direction: ref('VpcFirewallRuleDirection', enumOf(['inbound', 'outbound'])),
  targets: array(Target, most('targets')),
  filters: Filters,
  action: ref('VpcFirewallRuleAction', enumOf(['allow', 'deny'])),
  priority: uint16,
}
export const VpcFirewallRule = ref('VpcFirewallRule', object({ ...identity, vpcId: Uuid, ...rule }))
const { name, description } = identity
export const VpcFirewallRuleUpdate = ref('VpcFirewallRuleUpdate', object({ name, description, ...rule }))
const rules = { count: limits.firewall.rules, noun: 'rules', isRule: true } as const

const ofVpc = { vpc: NameOrId, ...inProject }
const all = {
  path: '/v1/vpc-firewall-rules', ok: 200, isLarge: true, tag: 'vpcs', query: object(ofVpc),
  response: ref('VpcFirewallRules', object({ rules: array(VpcFirewallRule, unlimited) })),
} as const
/** By name. With our own parameter `first`, that many rules in the order of evaluation. */
export const vpcFirewallRulesView = op({
  ...all, method: 'GET',
  query: object({ ...ofVpc, first: optional(integer({ min: 1, max: limits.firewall.rules, format: 'uint32' })) }),
  allow: 'project.viewer',
})
export const vpcFirewallRulesUpdate = op({
  ...all, method: 'PUT', allow: 'project.collaborator',
  bodyLimit: limits.firewall.body,
  body: ref(
    'VpcFirewallRuleUpdateParams',
    object({ rules: defaulted(array(VpcFirewallRuleUpdate, rules), () => []) }),
  ),
})
