import { createMemoryBlobs } from './memory-blobs.ts'
import { blobsSuite } from './testing/blobs-suite.ts'

blobsSuite('in memory', () => Promise.resolve({ blobs: createMemoryBlobs(), close: () => Promise.resolve() }))
