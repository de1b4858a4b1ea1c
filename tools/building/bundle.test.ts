import { describe, expect, it } from 'vitest'
import { lazyChunks, loadedFiles, type Manifest, type MapNode, pageKeys, routeChain } from './bundle.ts'

const map: MapNode = {
  file: 'shell/root.tsx',
  children: [
    { file: 'shell/home.tsx' },
    { children: [{ file: 'features/sign-in/local.tsx' }] },
    {
      file: 'shell/auth.tsx',
      children: [
        { file: 'features/projects/list.tsx' },
        {
          file: 'features/projects/frame.tsx',
          children: [{ file: 'features/disks/list.tsx' }, { file: 'features/instances/list.tsx' }],
        },
      ],
    },
  ],
}
const page = 'features/disks/list.tsx'
const disks = `src/${page}`

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
  'src/shell/home.tsx?tsr-split=component': { file: 'assets/index.js', isDynamicEntry: true },
  '_table.js': { file: 'assets/table.js' },
}

describe('the files of a page', () => {
  it('is the root, the layouts of its path and the page itself', () => {
    expect(routeChain(map, page)).toEqual([
      'src/shell/root.tsx',
      'src/shell/auth.tsx',
      'src/features/projects/frame.tsx',
      disks,
    ])
  })

  it('is nothing where the map has no such page', () => {
    expect(routeChain(map, 'features/none.tsx')).toEqual([])
  })

  it('is the entry, its route chunks and all they import, each once', () => {
    const keys = pageKeys(manifest, routeChain(map, page))
    expect(loadedFiles(manifest, keys).toSorted()).toEqual(
      ['disks', 'main', 'react', 'table', 'tiny'].map((name) => `assets/${name}.js`),
    )
  })

  it('knows the chunks that only a visit loads', () => {
    expect(lazyChunks(manifest).map(([, file]) => file)).toEqual(['assets/disks.js', 'assets/index.js'])
  })
})
