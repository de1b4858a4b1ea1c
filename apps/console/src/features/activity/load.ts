/** The panel, whose file names many others: a page that never opens it does not have them in its own. */
export const load = () => import('./ActivityPanel.tsx')
