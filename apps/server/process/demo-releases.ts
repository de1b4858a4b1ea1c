/** The releases of the demo: repositories that are made for tests. */
import { readFileSync } from 'node:fs'
import type { DemoReleases } from '@purlin/core/seed'

const folder = new URL('../../../packages/tuf/fixtures/', import.meta.url)
const read = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)))

export const demoReleases = (): DemoReleases => ({
  root: JSON.parse(new TextDecoder().decode(read('root.json'))) as unknown,
  repositories: ['1.0.0', '1.1.0'].map((version) => ({
    fileName: `purlin-${version}.zip`,
    content: read(`${version}.zip`),
  })),
})
