/** Whether this host has hardware for virtual machines. */
import { access, constants, readFile } from 'node:fs/promises'

/**
 * True if this process may use the processor for virtual machines. Where the device is there but the processor has no
 * virtualization, a kernel emulates it, and guests halt at instructions that it does not know.
 */
export async function hasKvm(device = '/dev/kvm', processors = '/proc/cpuinfo'): Promise<boolean> {
  try {
    await access(device, constants.R_OK | constants.W_OK)
    return /^flags\s*:.*\b(?:vmx|svm)\b/m.test(await readFile(processors, 'utf8'))
  } catch {
    return false
  }
}
