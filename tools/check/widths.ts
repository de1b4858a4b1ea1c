import type { Finding, TextFile } from './files.ts'

// Tailwind's own; src/styles/theme.css names ours instead, and a class of another one does nothing.
const FOREIGN = /(?<=["'`\s:])(?:max-)?(?:sm|md|lg|xl|2xl):[\w[-]+/g

/** Classes for widths of the window use the console's own names of widths. */
export function checkWidths(files: TextFile[]): Finding {
  const ours = files.filter(({ path }) => /^apps\/console\/src\/.*\.tsx?$/.test(path))
  const problems = ours.flatMap(({ path, text }) =>
    [...text.matchAll(FOREIGN)].map(
      ([name]) => `${path}: ${name} does nothing, since src/styles/theme.css has other widths`,
    ),
  )
  return { name: 'widths', said: 'classes name widths of the theme', problems, figures: {} }
}
