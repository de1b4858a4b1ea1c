/** The schemas of all timeseries. The most selective field of a target comes first, because the store looks it up. */
import type { DatumType, Fields, FieldType, Schema, Units } from './model.ts'

const created = Date.UTC(2026, 10, 1)

type FieldRow = readonly [name: string, type: FieldType, description: string]

interface Target {
  /** the name, if two targets with different fields share it */
  name?: string
  description: string
  scope: Schema['scope']
  fields: readonly FieldRow[]
}
interface Metric {
  target: keyof typeof targets
  metric: string
  datum: DatumType
  units: Units
  description: string
  fields?: readonly FieldRow[]
}

const projectId: FieldRow = ['project_id', 'uuid', 'Project of the instance']
const siloId: FieldRow = ['silo_id', 'uuid', 'Silo of the project']

const targets = {
  virtual_machine: {
    description: 'A virtual machine: an instance while it runs',
    scope: 'project',
    fields: [
      ['instance_id', 'uuid', 'The instance'],
      projectId,
      siloId,
      ['sled_id', 'uuid', 'Sled that runs it'],
      ['sled_model', 'string', 'Part number of the sled'],
      ['sled_revision', 'u32', 'Revision of the sled'],
      ['sled_serial', 'string', 'Serial number of the sled'],
    ],
  },
  virtual_machine_checked: {
    name: 'virtual_machine',
    description: 'A virtual machine whose health the control plane checks',
    scope: 'fleet',
    fields: [
      ['instance_id', 'uuid', 'The instance'],
      projectId,
      siloId,
      ['vmm_id', 'uuid', 'The process that runs the machine'],
      ['sled_agent_id', 'uuid', 'Sled agent that was queried'],
      ['sled_agent_ip', 'ip_addr', 'Address of the sled agent'],
      ['sled_agent_port', 'u16', 'Port of the sled agent'],
      ['nexus_id', 'uuid', 'Control plane that made the check'],
      ['rack_id', 'uuid', 'Rack of the control plane'],
    ],
  },
  virtual_disk: {
    description: 'A disk of a virtual machine',
    scope: 'project',
    fields: [
      ['disk_id', 'uuid', 'The disk'],
      ['attached_instance_id', 'uuid', 'Instance that the disk is attached to'],
      projectId,
      siloId,
      ['block_size', 'u32', 'Size of a block in bytes'],
    ],
  },
  instance_network_interface: {
    description: 'A network interface of an instance',
    scope: 'project',
    fields: [
      ['interface_id', 'uuid', 'The network interface'],
      ['instance_id', 'uuid', 'Instance that it belongs to'],
      projectId,
      siloId,
    ],
  },
  collection_target: {
    description: 'A project, a silo or the fleet, in which resources are provisioned',
    scope: 'fleet',
    fields: [['id', 'uuid', 'The project, the silo or the fleet']],
  },
} satisfies Record<string, Target>

const failureReason: FieldRow = ['failure_reason', 'string', 'Why the operation failed']
const checked = 'virtual_machine_checked'
const ioKind: FieldRow = ['io_kind', 'string', 'Kind of operation: read, write or flush']

const counters = (
  target: Metric['target'],
  units: Units,
  rows: readonly (readonly [metric: string, description: string, ...fields: FieldRow[]])[],
): Metric[] =>
  rows.map(([metric, description, ...fields]) => ({
    target,
    metric,
    description,
    units,
    datum: 'cumulative_u64',
    fields,
  }))

const disk = 'virtual_disk'
const nic = 'instance_network_interface'
const metrics: readonly Metric[] = [
  ...counters('virtual_machine', 'nanoseconds', [
    [
      'vcpu_usage',
      'Time that a vCPU has spent in a state',
      ['state', 'string', 'State of the vCPU: run, idle, waiting or emulation'],
      ['vcpu_id', 'u32', 'Number of the vCPU'],
    ],
  ]),
  ...counters('virtual_machine', 'count', [
    ['reset', 'Resets of the machine'],
    ['pv_panic_guest_handled', 'Panics that the guest handled itself'],
    ['pv_panic_host_handled', 'Panics that the guest left to the host'],
  ]),
  {
    target: 'virtual_machine',
    metric: 'memory_used',
    description: 'Memory in use',
    datum: 'i64',
    units: 'bytes',
    fields: [
      [
        'source',
        'string',
        'guest: as the guest says it; host: what the machine has taken from the host, as its guest does not say it',
      ],
    ],
  },
  ...counters(checked, 'count', [
    [
      'check',
      'Health checks that returned a state',
      ['state', 'string', 'State of the machine'],
      ['reason', 'string', 'Reason of the state'],
    ],
    ['incomplete_check', 'Health checks that failed', ['failure_reason', 'string', 'Why the check failed']],
  ]),
  ...counters(disk, 'bytes', [
    ['bytes_read', 'Bytes read from the disk'],
    ['bytes_written', 'Bytes written to the disk'],
  ]),
  ...counters(disk, 'count', [
    ['reads', 'Reads that succeeded'],
    ['writes', 'Writes that succeeded'],
    ['flushes', 'Flushes that succeeded'],
    ['failed_reads', 'Reads that failed', failureReason],
    ['failed_writes', 'Writes that failed', failureReason],
    ['failed_flushes', 'Flushes that failed', failureReason],
  ]),
  {
    target: disk,
    metric: 'io_latency',
    description: 'Duration of operations',
    datum: 'histogram_u64',
    units: 'nanoseconds',
    fields: [ioKind],
  },
  {
    target: disk,
    metric: 'io_size',
    description: 'Number of bytes per operation',
    datum: 'histogram_u64',
    units: 'bytes',
    fields: [ioKind],
  },
  ...counters(nic, 'bytes', [
    ['bytes_received', 'Bytes received by the interface'],
    ['bytes_sent', 'Bytes sent by the interface'],
  ]),
  ...counters(nic, 'count', [
    ['errors_received', 'Errors while receiving'],
    ['errors_sent', 'Errors while sending'],
    ['packets_dropped', 'Received packets that were dropped because the queue was full'],
    ['packets_received', 'Packets received by the interface'],
    ['packets_sent', 'Packets sent by the interface'],
  ]),
  ...(
    [
      ['cpus_provisioned', 'count', 'vCPUs of instances that have resources reserved on a sled'],
      ['ram_provisioned', 'bytes', 'Memory of instances that have resources reserved on a sled'],
      ['virtual_disk_space_provisioned', 'bytes', 'Space of disks and snapshots'],
    ] as const
  ).map(([metric, units, description]): Metric => ({
    target: 'collection_target',
    metric,
    description,
    datum: 'i64',
    units,
  })),
]

const nameOf = (target: Metric['target']): string => {
  const { name = target }: Target = targets[target]
  return name
}
const fieldsFrom = (source: 'target' | 'metric', rows: readonly FieldRow[] = []): Schema['fields'] =>
  rows.map(([name, type, description]) => ({ name, type, source, description }))

/** All schemas by name, in the order of names. */
export const schemas: ReadonlyMap<string, Schema> = new Map(
  metrics
    .map(({ target, metric, datum, units, description, fields }): Schema => ({
      name: `${nameOf(target)}:${metric}`,
      description: { target: targets[target].description, metric: description },
      fields: [...fieldsFrom('target', targets[target].fields), ...fieldsFrom('metric', fields)],
      datum,
      version: 1,
      scope: targets[target].scope,
      units,
      created,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((schema) => [schema.name, schema]),
)

/** Values as fields with the types of a schema. Omits values that are not in the schema. */
export function fieldsOf(
  { fields }: Pick<Schema, 'fields'>,
  values: Readonly<Record<string, string | number | boolean>>,
): Fields {
  const made: Fields = {}
  for (const { name, type } of fields) {
    const value = values[name]
    if (value !== undefined) made[name] = { type, value }
  }
  return made
}

/** True if the values of a metric are amounts at a time, and count nothing since a start. */
export const isGauge = (target: string, metric: string): boolean =>
  !/^(?:cumulative|histogram)_/.test(schemas.get(`${target}:${metric}`)?.datum ?? 'cumulative_u64')

/** A key that identifies a series of a schema. Keys sort by the values of the fields, numbers by size. */
export const keyOfFields = ({ fields }: Pick<Schema, 'fields'>, of: Fields): string =>
  fields
    .map(({ name }) => {
      const value = of[name]?.value ?? ''
      return typeof value === 'number' ? String(value).padStart(20, '0') : JSON.stringify(value)
    })
    .join(' ')
