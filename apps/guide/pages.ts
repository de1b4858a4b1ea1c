/** The pages of the guide in their order, by group. A page is a file in `docs/guide` with this name. */
export const groups: readonly { name: string; pages: readonly string[] }[] = [
  { name: 'Begin', pages: ['index', 'start', 'sign-in'] },
  { name: 'Look up', pages: ['glossary'] },
]
