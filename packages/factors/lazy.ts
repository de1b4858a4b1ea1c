/** The port for second factors, whose code is loaded when one is used for the first time. */
import type { OneTimeCodes, SecondFactors } from '@purlin/core/ports'

const load = async () => (await import('./codes.ts')).oneTimeCodes
const loadPasskeys = async () => (await import('./passkeys.ts')).webPasskeys

/** One-time codes, on any platform. */
export const lazyCodes: OneTimeCodes = {
  secretOf: async (bytes) => (await load()).secretOf(bytes),
  addressOf: async (of) => (await load()).addressOf(of),
  stepOf: async (...asked) => (await load()).stepOf(...asked),
}

/** All second factors. */
export const lazyFactors: SecondFactors = {
  codes: lazyCodes,
  passkeys: {
    register: async (...asked) => (await loadPasskeys()).register(...asked),
    verify: async (...asked) => (await loadPasskeys()).verify(...asked),
  },
}
