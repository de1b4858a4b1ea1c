import type {
  NetworkInterface,
  Packet,
  SledDriver,
  VmAddress,
  VmSpec,
  VmState,
  VmStatus,
} from '@purlin/core/ports'

/** A driver under test, its clock, and ways to cause failures. Every test opens its own harness and closes it. */
export interface SledHarness {
  driver: SledDriver
  /** Advances the driver's clock: moves a manual clock, or waits. */
  advance(ms: number): Promise<void>
  /** The time in milliseconds within which a start, stop, reset or login prompt must happen. */
  maxWaitMs: number
  /** Adapts an example to the driver, for example to disks that exist. */
  adapt?(spec: VmSpec): VmSpec
  /** The guest shuts down. */
  guestShutdown(id: string): void | Promise<void>
  /** The process that runs the machine fails. */
  crash(id: string, reason: string): void | Promise<void>
  /** The sled loses the machine without a report. */
  forget(id: string): void | Promise<void>
  loseSled(sledId: string): void | Promise<void>
  restoreSled(sledId: string): void | Promise<void>
  /** The guest writes these bytes to its serial console. */
  print(id: string, bytes: Uint8Array): void | Promise<void>
  /** The external addresses of an interface that its sled enforces. */
  externalIps(nicId: string): readonly VmAddress[] | Promise<readonly VmAddress[]>
  /** True if the first packet of a flow that an interface sends reaches another one, or the outside. */
  carries(nicId: string, packet: Packet): boolean | Promise<boolean>
  /** True if a packet from outside reaches an interface; its destination is the private address. */
  admits(nicId: string, packet: Packet): boolean | Promise<boolean>
  /** The sled loses all networks, as after a loss of power. */
  restartNetworks(sledId: string): void | Promise<void>
  close(): void | Promise<void>
}

/** Declares a test with its own harness. */
export type Rule = (title: string, body: (harness: SledHarness) => Promise<void>) => void

/** The machine of most tests, and a second one. */
export const web = '6a1f0c52-7c1e-4f0b-9d43-0d4a3c1b8e01'
export const db = '6a1f0c52-7c1e-4f0b-9d43-0d4a3c1b8e02'

const GiB = 1024 ** 3
const step = 50

/** A small machine with all kinds of devices. */
export const exampleSpec = (sledId: string): VmSpec => ({
  sledId,
  boot: 1,
  reset: 0,
  storage: 0,
  name: 'web',
  hostname: 'web',
  ncpus: 2,
  cpuPlatform: 'amd_milan',
  memory: 2 * GiB,
  bootDiskId: '0c4b21f8-5a0f-4a8e-8f0e-2f6a52f6d001',
  disks: [
    {
      id: '0c4b21f8-5a0f-4a8e-8f0e-2f6a52f6d001',
      name: 'web-root',
      size: 10 * GiB,
      blockSize: 512,
      slot: 0,
      layers: [{ id: '0c4b21f8-5a0f-4a8e-8f0e-2f6a52f6d003', hasBytes: false }],
    },
  ],
  nics: [{ id: '0c4b21f8-5a0f-4a8e-8f0e-2f6a52f6d002', mac: 'A8:40:25:F0:00:01', slot: 0 }],
  userData: new Uint8Array(0),
  sshPublicKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample web@example.com'],
})

/** An interface that leaves by source NAT. */
export const exampleNic = (id: string): NetworkInterface => ({
  id,
  owner: 'instance',
  instanceId: `instance of ${id}`,
  mac: 'A8:40:25:F0:00:01',
  ip: '172.30.0.5',
  subnet: '172.30.0.0/22',
  slot: 0,
  primary: true,
  transitIps: [],
  dhcp: { hostname: id, router: '172.30.0.1' },
  routes: 0,
  rules: [0],
  nat: {
    inbound: [],
    outbound: [
      {
        gatewayId: 'gateway',
        addresses: [{ kind: 'snat', ip: '203.0.113.7', firstPort: 0, lastPort: 16_383 }],
      },
    ],
  },
})

/** A small machine on the first sled, adapted to the driver. */
export async function specOf(h: SledHarness, change: Partial<VmSpec> = {}): Promise<VmSpec> {
  const [sled] = (await h.driver.hardware()).sleds
  if (!sled) throw new Error('the rack has no sleds')
  const spec = { ...exampleSpec(sled.id), ...change }
  return h.adapt?.(spec) ?? spec
}

/** Collects the reports of the driver from now on. */
export function follow(h: SledHarness) {
  const seen: VmStatus[] = []
  const end = h.driver.watch((status) => seen.push(status))
  /** The states of one machine in order, without repetitions. */
  const states = (id = web) =>
    seen
      .filter((status) => status.id === id)
      .map((status) => status.state)
      .filter((state, i, all) => state !== all[i - 1])
  /** Waits until the last report has this state. */
  const untilLast = (state: VmState) => until(h, `a report of ${state}`, () => seen.at(-1)?.state === state)
  return { seen, states, untilLast, end }
}

/** Advances time until the condition is true. Throws after `maxWaitMs`. */
export async function until(h: SledHarness, what: string, holds: () => boolean | Promise<boolean>) {
  for (let waited = 0; ; waited += step) {
    if (await holds()) return
    if (waited > h.maxWaitMs) throw new Error(`timed out waiting for ${what}`)
    await h.advance(step)
  }
}

/** Advances time until the sled has the machine in this state; null means no such machine. */
export const untilState = (h: SledHarness, id: string, sledId: string, state: VmState | null) =>
  until(h, `${id} is ${state ?? 'forgotten'}`, async () => {
    const status = await h.driver.inspect(id, sledId)
    return (status?.state ?? null) === state
  })

/** Starts a machine and waits until it runs. */
export async function running(h: SledHarness, id = web, change: Partial<VmSpec> = {}): Promise<VmSpec> {
  const spec = await specOf(h, change)
  await h.driver.ensure(id, spec)
  await untilState(h, id, spec.sledId, 'running')
  return spec
}
