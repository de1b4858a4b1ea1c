/** Lists as files. */
import { defaulted, enumOf } from '../schema.ts'

/** Formats of an export with their media types: JSON lines, or comma-separated values (RFC 4180). */
export const exportFormats = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const
export type ExportFormat = keyof typeof exportFormats

/** The requested format. */
export const exportFormat = defaulted(enumOf(['jsonl', 'csv']), () => 'jsonl' as const)

/** The common part of operations that export. */
export const download = { method: 'GET', ok: 200, streams: Object.values(exportFormats) } as const
