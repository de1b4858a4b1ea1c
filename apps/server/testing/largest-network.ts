/** A VPC with as many rules as it may have, and the questions about it that cost most: for attacks and benchmarks. */
import { GiB, limits } from '@purlin/contract/rules/limits'
import type { Wave } from './flood.ts'
import type { Api } from './requests.ts'

export type Rules = NonNullable<Parameters<Api['vpcFirewallRulesUpdate']>[0]['body']['rules']>
type End = Rules[number]['targets'][number]

export const instanceOf = (i: number): string => `vm-${i}`
const times = (count: number) => Array.from({ length: count }, (_, i) => i)
const twenty = times(20)

/** Rules of a VPC with this many instances, each with twenty targets, hosts and ports; all different. */
export function rulesFor(count: number, instances: number): Rules {
  return times(count).map((n) => ({
    name: `rule-${n}`,
    description: '',
    status: 'enabled' as const,
    direction: n % 4 === 0 ? ('outbound' as const) : ('inbound' as const),
    action: 'allow' as const,
    priority: n,
    targets: twenty.map((i): End =>
      i % 2 === 0
        ? { type: 'instance', value: instanceOf((n * 20 + i) % instances) }
        : { type: 'ip_net', value: `172.30.${i % 4}.${((n + i) % 16) * 16}/28` },
    ),
    filters: {
      hosts: twenty.map((i): End =>
        i % 2 === 0
          ? { type: 'instance', value: instanceOf((n * 7 + i) % instances) }
          : { type: 'ip_net', value: `198.51.${n % 200}.${i * 8}/29` },
      ),
      ports: twenty.map((i) => `${1000 + n + i * 100}-${1020 + n + i * 100}`),
      protocols: [{ type: 'tcp' as const }],
    },
  }))
}

interface Requests {
  /** Traces, effects, reachability and previews, alternating. */
  question: (serial: number) => Wave
  /** Replaces all rules. */
  replace: () => Wave
}

/** Creates a project with this many instances and the most rules, and returns the requests. */
export async function largestNetwork(
  { api, cookie }: { api: Api; cookie: string },
  { project, instances }: { project: string; instances: number },
): Promise<Requests> {
  await api.projectCreate({ body: { name: project, description: '' } })
  const one = { description: '', ncpus: 1, memory: GiB, start: false }
  for (const name of times(instances).map(instanceOf))
    await api.instanceCreate({ query: { project }, body: { ...one, name, hostname: name, externalIps: [] } })
  const rules = rulesFor(limits.firewall.rules, instances)
  const query = `project=${project}`
  await api.vpcFirewallRulesUpdate({ query: { project, vpc: 'default' }, body: { rules } })
  const headers = { cookie, 'content-type': 'application/json' }
  const asked = (path: string): Wave => ({ path, headers })
  const sent = (method: string, path: string, body: object): Wave => ({
    method,
    path,
    headers,
    body: JSON.stringify(body),
  })
  const between = (serial: number) => ({
    source: { type: 'instance', value: instanceOf(serial % instances) },
    destination: { type: 'instance', value: instanceOf((serial * 7 + 1) % instances) },
    protocol: { type: 'tcp', port: 1000 + (serial % 1000) },
    assume_running: true,
  })
  const change = { change: { type: 'firewall_rules', rules: rules.slice(1) } }
  const preview = sent('POST', `/v1/vpcs/default/preview?${query}`, change)
  const questions: ((serial: number) => Wave)[] = [
    (serial) => sent('POST', `/v1/vpcs/default/trace?${query}`, between(serial)),
    () => asked(`/v1/vpcs/default/effects?${query}`),
    (serial) => asked(`/v1/instances/${instanceOf(serial % instances)}/reachability?${query}`),
    () => preview,
  ]
  const all = sent('PUT', `/v1/vpc-firewall-rules?${query}&vpc=default`, { rules })
  return {
    question: (serial) => questions[serial % questions.length]?.(serial) ?? preview,
    replace: () => all,
  }
}
