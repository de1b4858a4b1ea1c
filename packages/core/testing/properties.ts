/**
 * fast-check with the seed of the run: a fixed one in `npm test`, which must not fail by chance, and a fresh
 * one in each run of `npm run soak`. Property tests import fast-check from here.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['PURLIN_PROPERTY_SEED'] ?? 1) })

export default fc
