import { paths, sections, type VpcTarget } from '#/lib/addresses.ts'
import { Reference } from '#/resource/address/references.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { Table } from '#/ui/table/Table.tsx'
import { usePlaces, type Step } from './places.ts'

interface PlaceProps<S extends Step = Step> {
  step: S
  vpc: VpcTarget
  /** The id of a route that is not stored: nothing leads to it. */
  typed?: string | undefined
}
type StepOf<T extends Step['type']> = Extract<Step, { type: T }>

/** Where what decided at a step can be seen and changed. */
export function StepPlace({ step, vpc, typed }: PlaceProps) {
  switch (step.type) {
    case 'firewall_out':
    case 'firewall_in':
      return <FirewallPlace step={step} vpc={vpc} />
    case 'route':
      return step.route && <RoutePlace step={step} vpc={vpc} typed={typed} />
    case 'gateway':
      return <GatewayPlace step={step} vpc={vpc} />
    case 'external_address':
      return <AddressLine address={step.address} />
    case 'source_check':
    case 'delivery':
      return (
        step.instanceId && (
          <Line word="Instance">
            <Reference
              to="instance"
              id={step.instanceId}
              project={vpc.project}
              hrefOf={(instance) => paths.instanceTab({ project: vpc.project, instance }, 'networking')}
            />
          </Line>
        )
      )
  }
}

const Line = ({ word, children }: { word: string; children: React.ReactNode }) => (
  <p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1">
    <span className="text-secondary">{word}</span>
    {children}
  </p>
)

function FirewallPlace({ step: { rule, result }, vpc }: PlaceProps<StepOf<'firewall_in' | 'firewall_out'>>) {
  if (rule)
    return (
      <Line word="Rule">
        <TextLink href={paths.firewallRule(vpc, rule.name)}>{rule.name}</TextLink>
        <Badge>priority {rule.priority}</Badge>
      </Line>
    )
  if (result === 'pass') return null
  return (
    <Line word="See">
      <TextLink href={paths.vpcTab(vpc, 'firewall-rules')}>all firewall rules</TextLink>
    </Line>
  )
}

/** The route that is taken, and the others that lead to the address but come after it. */
function RoutePlace({ step: { route, candidates }, vpc, typed }: PlaceProps<StepOf<'route'>>) {
  const { router } = usePlaces(vpc)
  const link = ({ id, name, routerId }: (typeof candidates)[number]) => {
    const called = router(routerId)
    return called === undefined || id === typed ? (
      name
    ) : (
      <TextLink href={paths.route({ ...vpc, router: called }, id)}>{name}</TextLink>
    )
  }
  const routerLink = (name: string | undefined) =>
    name !== undefined && <TextLink href={sections.vpcRouter.view({ ...vpc, name })}>{name}</TextLink>
  if (!route) return null
  if (candidates.length < 2)
    return (
      <Line word="Route">
        {link(route)}
        <Badge>{route.destination}</Badge>
      </Line>
    )
  return (
    <Table
      label="Routes that lead to the address"
      className="mt-2.5"
      rows={candidates}
      rowKey={({ id }) => id}
      columns={[
        { id: 'route', header: 'route', cell: link },
        { id: 'destination', header: 'destination', mono: true, cell: ({ destination }) => destination },
        { id: 'router', header: 'router', cell: ({ routerId }) => routerLink(router(routerId)) },
        {
          id: 'taken',
          header: 'taken',
          cell: ({ id }) => (id === route.id ? <Badge tone="accent">taken</Badge> : 'less specific'),
        },
      ]}
    />
  )
}

function GatewayPlace({ step: { gatewayId, address }, vpc }: PlaceProps<StepOf<'gateway'>>) {
  const name = usePlaces(vpc).gateway(gatewayId)
  return (
    <>
      {name !== undefined && (
        <Line word="Gateway">
          <TextLink href={sections.internetGateway.view({ ...vpc, name })}>{name}</TextLink>
        </Line>
      )}
      <AddressLine address={address} />
    </>
  )
}

const mostPorts = 65_535

/** An external address, with its ports if it is shared. */
function AddressLine({ address }: { address: StepOf<'gateway'>['address'] }) {
  if (!address) return null
  const { ip, firstPort, lastPort } = address
  return (
    <Line word="Address">
      <Badge>{ip}</Badge>
      {lastPort - firstPort < mostPorts && (
        <Badge>
          ports {firstPort}–{lastPort}
        </Badge>
      )}
    </Line>
  )
}
