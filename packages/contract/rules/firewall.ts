/** Filters of firewall rules. */

/** True if the text is one port, or a range of two whose end is not below its start. */
export function isPortRange(text: string): boolean {
  const [, first, last] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text.trim()) ?? []
  return first !== undefined && Number(last ?? first) >= Number(first)
}
