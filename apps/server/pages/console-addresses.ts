/** The addresses of the console's pages. The house rules check that every address of its map is one of them. */

const consolePage =
  /^\/(?:(?:projects|settings|system|lookup)(?:\/.*)?|projects-new|images.*|instances|utilization|(?:access|certificates)(?:[-/].*)?|device\/(?:verify|success))?$/
const signInPage = /^\/login\/[^/]+\/(?:local|saml\/[^/]+)$/

/** Which page is at a path: one for those who are signed in, the one to sign in, or the way to that; null for none. */
export function pageAt(path: string): 'console' | 'sign-in' | 'choose-sign-in' | null {
  if (path === '/login') return 'choose-sign-in'
  if (signInPage.test(path)) return 'sign-in'
  return consolePage.test(path) ? 'console' : null
}
