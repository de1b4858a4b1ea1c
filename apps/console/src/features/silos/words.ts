/** `saml jit`, as the list and the page of a silo say it. */
export const modeWords = (mode: string): string => mode.replace('_', ' ')
