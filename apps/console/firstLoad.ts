/** What is made from the console's own code while it is built: the static frame, and the requests of each address. */
import { fileURLToPath } from 'node:url'
import { type HtmlTagDescriptor, type Plugin, runnerImport } from 'vite'

/** Loads a module of the console in Node. */
async function imported<M>(file: string): Promise<M> {
  const root = fileURLToPath(new URL('./', import.meta.url))
  const path = fileURLToPath(new URL(file, import.meta.url))
  const { module } = await runnerImport<M>(path, { root, configFile: false, logLevel: 'warn' })
  return module
}

/** What every page is written in. A font that comes after the text would move it. */
const fonts = ['inter-latin-wght-normal', 'jetbrains-mono-latin-wght-normal']

function preload(font: string, files: string[]): HtmlTagDescriptor {
  const file = files.find((name) => name.startsWith(`assets/${font}-`))
  if (!file) throw new Error(`The build has no font ${font}.`)
  const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` }
  return { tag: 'link', attrs, injectTo: 'head-prepend' }
}

/** Puts the frame into the page between comments that the server finds, and the requests beside the manifest. */
export const firstLoad = (): Plugin => ({
  name: 'first-load',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(html, { bundle = {} }) {
      const { frame } = await imported<{ frame: string }>('src/shell/staticFrame.tsx')
      return {
        html: html.replace('<!--frame-->', () => `<!--frame-->${frame}<!--/frame-->`),
        tags: fonts.map((font) => preload(font, Object.keys(bundle))),
      }
    },
  },
  async generateBundle() {
    const { firstRequests } = await imported<{ firstRequests: Record<string, string[]> }>(
      'src/firstRequests.ts',
    )
    this.emitFile({ type: 'asset', fileName: '.vite/requests.json', source: JSON.stringify(firstRequests) })
  },
})
