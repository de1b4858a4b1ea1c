/** Limits that both sides obey. Sizes in bytes unless the name says otherwise. */
export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB
export const TiB = 1024 * GiB

export const limits = {
  instance: {
    minCpus: 1,
    maxCpus: 64,
    minMemory: GiB,
    maxMemory: 1536 * GiB,
    disks: 8,
    nics: 8,
    externalIps: 32,
    ephemeralIps: 1,
    sshKeys: 100,
    userData: 32 * KiB,
  },
  disk: { minSize: GiB, maxSize: 1023 * GiB, blockSizes: [512, 2048, 4096] },
  /** One write of an import: decoded bytes, and the whole body around them. */
  bulkWrite: { chunk: 512 * KiB, body: 8 * MiB },
  affinity: { members: 32, groupsPerInstance: 16 },
  policy: { assignments: 64 },
  sshKey: { publicKey: 1023 },
  password: { max: 512 },
  page: { default: 100, max: 10_000, token: 512 },
  body: MiB,
} as const

/** `4 GiB`, `512 MiB`, `100 B`: the largest unit that divides the size. */
export function formatBytes(size: number): string {
  const units = [
    [TiB, 'TiB'],
    [GiB, 'GiB'],
    [MiB, 'MiB'],
    [KiB, 'KiB'],
  ] as const
  const unit = size > 0 ? units.find(([bytes]) => size % bytes === 0) : undefined
  return unit ? `${size / unit[0]} ${unit[1]}` : `${size} B`
}
