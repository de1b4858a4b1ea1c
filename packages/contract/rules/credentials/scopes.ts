/** True for a scope (RFC 6749, section 3.3): no spaces, quotes or backslashes. */
export const isScope = (text: string): boolean => /^[!#-[\]-~]+$/.test(text)
