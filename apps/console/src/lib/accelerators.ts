import type { Accelerator } from '@purlin/contract/rules/hardware'

/** How a host runs machines, in words. */
export const acceleratorWords: Record<Accelerator, string> = {
  kvm: 'KVM',
  emulation: 'Emulation, which is slow',
  simulated: 'Simulated',
}
