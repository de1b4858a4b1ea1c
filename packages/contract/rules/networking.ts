/** Values and rules of system networking that both sides know. */
export const lotKinds = ['infra', 'pool'] as const
/** Addresses of the infrastructure itself, or of pools. */
export type LotKind = (typeof lotKinds)[number]

/** The places of the switches of a rack. */
export const switchLocations = ['switch0', 'switch1'] as const
export type SwitchLocation = (typeof switchLocations)[number]
