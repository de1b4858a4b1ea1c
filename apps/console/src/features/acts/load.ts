/** The actions of all kinds, whose files are many: a page without the palette does not have them in its own. */
export const load = () => import('./FoundActs.tsx')
