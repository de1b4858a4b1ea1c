import { createMemoryBlobs } from './blobs-in-memory.ts'
import { blobsSuite } from '@purlin/core/testing/blobs-suite'

blobsSuite('in memory', () => Promise.resolve({ blobs: createMemoryBlobs(), close: () => Promise.resolve() }))
