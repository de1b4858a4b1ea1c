import type {
  LinkConfiguration,
  PeerConfiguration,
  PeerStatus,
  SwitchConfiguration,
  SwitchDriver,
} from '@purlin/core/ports'

/** How a router differs from what a switch expects of it. */
export interface RouterSetup {
  isAway?: boolean
  asn?: number
  key?: string | null
  answersBfd?: boolean
  routes?: { network: string; path: number[] }[]
}

/** A driver under test with a switch whose two ports are connected to routers. Every test opens its own. */
export interface SwitchHarness {
  driver: SwitchDriver
  switchId: string
  ports: readonly [string, string]
  /** Advances the driver's clock: moves a manual clock, or waits. */
  advance(ms: number): Promise<void>
  now(): number
  setLink(port: string, state: 'up' | 'down'): void | Promise<void>
  setRouter(address: string, setup: RouterSetup): void | Promise<void>
  /** The switch refuses further configurations for this reason; null: it accepts them again. */
  refuse(reason: string | null): void | Promise<void>
  loseSwitch(): void | Promise<void>
  restoreSwitch(): void | Promise<void>
  /** The switch loses its configuration, as after a loss of power. */
  restart(): void | Promise<void>
  answersPings(): boolean | Promise<boolean>
  close(): void | Promise<void>
}

export const router = '198.51.100.2'

export const examplePeer = (more: Partial<PeerConfiguration> = {}): PeerConfiguration => ({
  address: router,
  remoteAsn: 64_500,
  holdTime: 6,
  idleHoldTime: 3,
  delayOpen: 0,
  connectRetry: 3,
  keepalive: 2,
  minTtl: null,
  md5AuthKey: null,
  multiExitDiscriminator: null,
  localPref: null,
  communities: [],
  enforceFirstAs: false,
  allowedImport: null,
  allowedExport: null,
  vlanId: null,
  ...more,
})

const exampleLink = (more: Partial<LinkConfiguration> = {}): LinkConfiguration => ({
  name: 'phy0',
  mtu: 1500,
  speed: 'speed100_g',
  fec: null,
  isNegotiated: false,
  equalizer: null,
  lldp: {
    isEnabled: true,
    linkName: null,
    linkDescription: null,
    chassisId: null,
    systemName: null,
    systemDescription: null,
    managementIp: null,
  },
  addresses: [{ address: '198.51.100.1/30', vlanId: null }],
  interfaces: [],
  routes: [],
  peers: [],
  ...more,
})

type More = Partial<Omit<SwitchConfiguration, 'version' | 'ports'>> & { link?: Partial<LinkConfiguration> }

/** A configuration of the first port. */
export const exampleConfiguration = (
  { ports: [name] }: Pick<SwitchHarness, 'ports'>,
  version: number,
  { link = {}, ...more }: More = {},
): SwitchConfiguration => ({
  version,
  asn: 65_001,
  announced: ['203.0.113.0/24'],
  ports: [{ name, geometry: 'qsfp28x1', links: [exampleLink(link)] }],
  loopbacks: [],
  bfd: [],
  answersPings: false,
  ...more,
})

/** The only peer of the switch. Throws if it has none. */
export async function peerOf({ driver, switchId }: SwitchHarness): Promise<PeerStatus> {
  const [peer] = (await driver.status(switchId)).peers
  if (!peer) throw new Error('the switch has no peer')
  return peer
}
