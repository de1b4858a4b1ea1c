import { describe, expect, it } from 'vitest'
import { lazyChunks, loadedFiles, type Manifest, pageKeys, routeChain } from './bundle.ts'

const routes = [
  'src/routes/__root.tsx',
  'src/routes/index.tsx',
  'src/routes/login/$silo/local.tsx',
  'src/routes/_app.tsx',
  'src/routes/_app/projects/index.tsx',
  'src/routes/_app/projects/$project/route.tsx',
  'src/routes/_app/projects/$project/disks.tsx',
  'src/routes/_app/projects/$project/instances/index.tsx',
]
const disks = 'src/routes/_app/projects/$project/disks.tsx'

const manifest: Manifest = {
  'index.html': { file: 'assets/main.js', isEntry: true, imports: ['_react.js'], css: ['assets/main.css'] },
  '_react.js': { file: 'assets/react.js', imports: ['_tiny.js'] },
  '_tiny.js': { file: 'assets/tiny.js', imports: ['_react.js'] },
  [`${disks}?tsr-split=component`]: {
    file: 'assets/disks.js',
    isDynamicEntry: true,
    imports: ['_table.js', '_react.js'],
  },
  [`${disks}?tsr-split=errorComponent`]: { file: 'assets/broken.js' },
  'src/routes/index.tsx?tsr-split=component': { file: 'assets/index.js', isDynamicEntry: true },
  '_table.js': { file: 'assets/table.js' },
}

describe('what a page loads', () => {
  it('is the root, the layouts of its path and the page itself', () => {
    expect(routeChain(disks, routes)).toEqual([
      'src/routes/__root.tsx',
      'src/routes/_app.tsx',
      'src/routes/_app/projects/$project/route.tsx',
      disks,
    ])
  })

  it('is the entry, its route chunks and all they import, each once', () => {
    const keys = pageKeys(manifest, routeChain(disks, routes))
    expect(loadedFiles(manifest, keys).toSorted()).toEqual(
      ['disks', 'main', 'react', 'table', 'tiny'].map((name) => `assets/${name}.js`),
    )
  })

  it('knows the chunks that only a visit loads', () => {
    expect(lazyChunks(manifest).map(([, file]) => file)).toEqual(['assets/disks.js', 'assets/index.js'])
  })
})
