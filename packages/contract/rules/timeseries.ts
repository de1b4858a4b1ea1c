/** Enumerations of the timeseries API. */

/** Types of a field: of what a series belongs to, or of a property of the metric. */
export const fieldTypes = [
  'string',
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'i64',
  'u64',
  'ip_addr',
  'uuid',
  'bool',
] as const
/** Types of one measured value. */
export const datumTypes = [
  'bool',
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'i64',
  'u64',
  'f32',
  'f64',
  'string',
  'bytes',
  'cumulative_i64',
  'cumulative_u64',
  'cumulative_f32',
  'cumulative_f64',
  'histogram_i8',
  'histogram_u8',
  'histogram_i16',
  'histogram_u16',
  'histogram_i32',
  'histogram_u32',
  'histogram_i64',
  'histogram_u64',
  'histogram_f32',
  'histogram_f64',
] as const
export const units = [
  'count',
  'bytes',
  'seconds',
  'nanoseconds',
  'volts',
  'amps',
  'watts',
  'degrees_celsius',
  'none',
  'rpm',
] as const
/** The metrics that are summed per project, silo and fleet. */
export const metricNames = ['virtual_disk_space_provisioned', 'cpus_provisioned', 'ram_provisioned'] as const
