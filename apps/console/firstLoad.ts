/** Built from the console's own code: the static frame, and the first requests of each address. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compile, optimize } from '@tailwindcss/node'
import { type Plugin, runnerImport } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Loads a module of the console in Node. */
async function imported<M>(file: string): Promise<M> {
  const { module } = await runnerImport<M>(here(file), {
    root: here('./'),
    configFile: false,
    logLevel: 'warn',
  })
  return module
}

/** The fonts of every page. The frame and the scripts come first; the first render waits for fonts. */
const fonts = ['inter-latin-wght-normal', 'jetbrains-mono-latin-wght-normal']

function preload(font: string, files: string[]): string {
  const file = files.find((name) => name.startsWith(`assets/${font}-`))
  if (!file) throw new Error(`The build has no font ${font}.`)
  return `    <link rel="preload" as="font" type="font/woff2" fetchpriority="low" crossorigin href="/${file}">\n`
}

/** The styles of the frame alone, from the same sources as all. It holds no text, so that it needs no fonts; borders show it in forced colours. */
async function frameStyles(frame: string): Promise<string> {
  const all = await readFile(here('src/styles/main.css'), 'utf8')
  const styles = await compile(all.replaceAll(/^@import '(@fontsource|.\/forced-colors).*$/gm, ''), {
    base: here('src/styles'),
    onDependency: () => undefined,
  })
  const classes = [...frame.matchAll(/ class="([^"]*)"/g)].flatMap(([, list = '']) => list.split(' '))
  return optimize(styles.build(classes), { minify: true }).code
}

/** A script that goes into the page, without its comments. Its hash is in the content security policy of the page. */
async function inlineScript(file: string): Promise<string> {
  const script = await readFile(here(file), 'utf8')
  return `<script>${script.replaceAll(/^\s*\/\/.*\n/gm, '').trim()}</script>`
}

/**
 * The page as it is served: what it takes to paint the frame is inside. The styles of all pages, the scripts, and fonts
 * after them, are fetched once it is painted.
 */
async function paintable(html: string, frame: string, files: string[]): Promise<string> {
  const lines = (pattern: RegExp) => [...html.matchAll(pattern)].map(([line]) => line)
  const styles = lines(/^.*<link rel="stylesheet".*\n/gm)
  const theme = lines(/<script src="[^"]*theme\.js"><\/script>/g)
  const scripts = [...lines(/^.*<link rel="modulepreload".*\n/gm), ...lines(/^.*<script type="module".*\n/gm)]
  if (styles.length !== 1 || theme.length !== 1 || scripts.length === 0)
    throw new Error(
      'The page is not the one that is built: it needs a stylesheet, the script of the theme and modules.',
    )
  const [ofTheme, afterPaint, inside] = await Promise.all([
    inlineScript('public/theme.js'),
    inlineScript('src/shell/afterPaint.js'),
    frameStyles(frame),
  ])
  const later = [...styles, ...scripts, ...fonts.map((font) => preload(font, files))]
  const bare = [...styles, ...scripts].reduce((rest, line) => rest.replace(line, ''), html)
  return bare
    .replace(theme[0], () => ofTheme)
    .replace('<!--frame-->', () => `<!--frame--><style>${inside}</style>${frame}<!--/frame-->`)
    .replace(
      '  </body>',
      () => `    <template id="later">\n${later.join('')}    </template>\n    ${afterPaint}\n  </body>`,
    )
}

/**
 * Inserts the frame into the page between comments that the server finds, and the requests into the folder of the
 * manifest.
 */
export const firstLoad = (): Plugin => ({
  name: 'first-load',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(html, { bundle = {} }) {
      const { frame } = await imported<{ frame: string }>('src/shell/staticFrame.tsx')
      return paintable(html, frame, Object.keys(bundle))
    },
  },
  async generateBundle() {
    const { firstRequests } = await imported<{ firstRequests: Record<string, string[]> }>(
      'src/firstRequests.ts',
    )
    this.emitFile({ type: 'asset', fileName: '.vite/requests.json', source: JSON.stringify(firstRequests) })
  },
})
