/** How the palette calls an action on a resource. */

// The name of an action that asks for a second resource ends with it.
const open = / to …$/

/** 'Stop web-03', 'Move web-ip to …' and, with the second resource, 'Move web-ip to web-04'. */
export const actText = (label: string, name: string, given?: string): string => {
  const verb = `${label.replace(open, '')} ${name}`
  if (given !== undefined) return `${verb} to ${given}`
  return open.test(label) ? `${verb} to …` : verb
}

/** The id and the words of one, whichever of the page, its lists and the search offers it. */
export const actKeys = (label: string, id: string, name: string): { id: string; words: string } => ({
  id: `${id} ${label}`,
  words: `${label} ${name} ${label}`,
})
