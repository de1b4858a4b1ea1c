/** MAC addresses of interfaces. FF:xx:xx is reserved for the system. */
export const macs = { prefix: 'A8:40:25', first: 0xf0_00_00, last: 0xfe_ff_ff }

/** `A8:40:25:F0:00:01` of the low 24 bits. */
export const formatMac = (mac: number): string =>
  [macs.prefix, ...(mac.toString(16).padStart(6, '0').toUpperCase().match(/../g) ?? [])].join(':')

/** The low 24 bits of an address, with `:` or `-` between its bytes. Undefined for any that is not one of ours. */
export function parseMac(text: string): number | undefined {
  const [, first, second, third] =
    /^a8[:-]40[:-]25[:-]([0-9a-f]{2})[:-]([0-9a-f]{2})[:-]([0-9a-f]{2})$/i.exec(text) ?? []
  return first === undefined ? undefined : Number.parseInt(`${first}${second}${third}`, 16)
}
