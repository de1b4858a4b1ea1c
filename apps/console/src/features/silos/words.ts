/** How the users of a silo sign in, in the order of the form. */
export const modes = [
  { value: 'local_only', label: 'Local only' },
  { value: 'saml_jit', label: 'SAML + JIT' },
  { value: 'saml_scim', label: 'SAML + SCIM' },
] as const

/** `SAML + JIT`, as the list, the page and the form of a silo say it. */
export const modeWords = (mode: (typeof modes)[number]['value']): string =>
  modes.find(({ value }) => value === mode)?.label ?? mode
