/** The values that hardware has in the API, in reports of drivers and in rows. */
export const cpuFamilies = ['amd_milan', 'amd_turin', 'amd_turin_dense', 'other'] as const
export type CpuFamily = (typeof cpuFamilies)[number]
export const accelerators = ['kvm', 'emulation', 'simulated'] as const
export type Accelerator = (typeof accelerators)[number]

/**
 * The networks of the guests of a host: those of their VPCs, with all rules and addresses; a way out and nothing else; none; or
 * none but those of simulated guests.
 */
export const networkModes = ['enforced', 'outbound', 'none', 'simulated'] as const
export type NetworkMode = (typeof networkModes)[number]
export const formFactors = ['m2', 'u2'] as const
export type FormFactor = (typeof formFactors)[number]
export const diskHealths = ['ok', 'failing', 'failed'] as const
export type DiskHealth = (typeof diskHealths)[number]
export const linkStates = ['up', 'down'] as const
export type LinkState = (typeof linkStates)[number]
export const provisionPolicies = ['provisionable', 'non_provisionable'] as const
export type ProvisionPolicy = (typeof provisionPolicies)[number]
/** Of a sled in maintenance: it is being emptied, that has ended and some instances are left, or it is empty. */
export const maintenanceStates = ['evacuating', 'incomplete', 'empty'] as const
export type MaintenanceState = (typeof maintenanceStates)[number]
/** The resources of a sled whose use is recorded: hardware threads, and bytes. */
export const sledMetrics = ['threads', 'memory', 'storage'] as const
