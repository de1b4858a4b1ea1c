/** Seconds between two samples: a vCPU cannot have been busy for longer. */
export const sampled = 5

/** The share of the time of vCPUs, in percent, of the nanoseconds between two samples. */
export const cpuShare = (nanoseconds: number, count: number): number =>
  (100 * nanoseconds) / (sampled * 1e9 * count)
