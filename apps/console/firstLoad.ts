/** What is made from the console's own code while it is built: the static frame, and the requests of each address. */
import { fileURLToPath } from 'node:url'
import { runnerImport, type Plugin } from 'vite'

/** Loads a module of the console in Node. */
async function imported<M>(file: string): Promise<M> {
  const root = fileURLToPath(new URL('./', import.meta.url))
  const path = fileURLToPath(new URL(file, import.meta.url))
  const { module } = await runnerImport<M>(path, { root, configFile: false, logLevel: 'warn' })
  return module
}

/** Puts the frame into the page between comments that the server finds, and the requests beside the manifest. */
export const firstLoad = (): Plugin => ({
  name: 'first-load',
  apply: 'build',
  async transformIndexHtml(html) {
    const { frame } = await imported<{ frame: string }>('src/shell/staticFrame.tsx')
    return html.replace('<!--frame-->', () => `<!--frame-->${frame}<!--/frame-->`)
  },
  async generateBundle() {
    const { firstRequests } = await imported<{ firstRequests: Record<string, string[]> }>(
      'src/firstRequests.ts',
    )
    this.emitFile({ type: 'asset', fileName: '.vite/requests.json', source: JSON.stringify(firstRequests) })
  },
})
