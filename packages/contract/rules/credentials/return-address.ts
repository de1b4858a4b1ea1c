/** Addresses that a browser returns to after a sign-in. */

/**
 * True for an address that browsers resolve to a page of this site. Browsers read `\` as `/`, skip tabs and line ends, and
 * take `//name` for another site, also once segments such as `..` are resolved.
 */
export const isOwnAddress = (address: string): boolean =>
  /^\/(?!\/)(?:[^\\\p{Cc}\p{Cs}?#/]|\/(?!\/))*(?:[?#][^\\\p{Cc}\p{Cs}]*)?$/u.test(address)
