import type { Kind } from '../kind.ts'

/** The address of a project's list of a kind with a filter. */
export const filteredHref = ({ section }: Pick<Kind, 'section'>, project: string, filter: string): string =>
  `${section.list(project)}?filter=${encodeURIComponent(filter)}`
