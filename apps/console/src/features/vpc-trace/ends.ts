/** The options for an end of a trace: the instances of the VPC, and each interface of those that have several. */
import type { vpcSubnetListNetworkInterfaces } from '@purlin/contract/operations/vpcs/vpc-subnets'
import type { Item } from '#/api/everyPage.ts'
import type { Choice } from '#/ui/field/choices.tsx'

export type Nic = Item<typeof vpcSubnetListNetworkInterfaces>
interface Machine {
  id: string
  name: string
  runState: string
}

/** By name of the instance. An instance stands for its primary interface, or for the only one that it has here. */
export function endChoices(nics: readonly Nic[], instances: readonly Machine[]): Choice[] {
  const byInstance = Map.groupBy(nics, ({ instanceId }) => instanceId)
  return instances
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ id, name, runState }) => {
      const own = byInstance.get(id) ?? []
      const state = runState === 'running' ? '' : ` · ${runState}`
      return own.map((nic) => {
        const description = `${nic.ip}${state}`
        return own.length === 1
          ? { value: name, label: name, description }
          : { value: nic.id, label: `${name} / ${nic.name}`, description }
      })
    })
}
