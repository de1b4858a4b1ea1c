import type { Finding, TextFile } from './files.ts'

const AT_TOP_LEVEL = /^(?:export )?const (\w+)[^\n]*= new Intl\./gm

/** No module of the console makes a formatter while it is loaded: the first one takes 20 ms of the first render. */
export function checkFormatters(files: TextFile[]): Finding {
  const ours = files.filter(({ path }) => /^apps\/console\/src\/.*\.tsx?$/.test(path))
  const problems = ours.flatMap(({ path, text }) =>
    [...text.matchAll(AT_TOP_LEVEL)].map(
      ([, name]) =>
        `${path} makes ${name} while it is loaded: make it when it is needed, as lib/format.ts does`,
    ),
  )
  return { name: 'formatters', said: 'made when they are needed', problems, figures: {} }
}
