/** Values of half-filled forms that the user leaves for a page that leads back to them. */
const kept = new Map<string, unknown>()

/** Keeps the values of the form at an address. */
export const keepForm = (address: string, values: unknown): void => void kept.set(address, values)

/** The values that were kept for the form at an address. */
export const keptForm = <T>(address: string): T | undefined => kept.get(address) as T | undefined

/** Forgets them, once the form is open again. */
export const forgetForm = (address: string): void => void kept.delete(address)
