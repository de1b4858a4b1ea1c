/** The parts of core that the benchmark of timeseries measures without a server around them. */
export { migrate } from '#/db/migrate.ts'
export { collectSamples, keepUpSamples } from '#/loops/samples.ts'
export { recordHardware } from '#/loops/hardware.ts'
export { createCheckpoint } from '#/oxql/checkpoint.ts'
export { answerQuery } from '#/oxql/query.ts'
export { createTimeseriesReader } from '#/timeseries/store-read.ts'
