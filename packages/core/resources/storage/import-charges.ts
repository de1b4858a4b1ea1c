/** The storage that image imports are charged while they are under way: of their file, and of the disk in it. */
import { chargedFor } from '@purlin/contract/rules/images/imports'
import type { ImageImportTable } from '#/db/tables.ts'
import { charge } from '../silos/quotas.ts'

type Charging = Parameters<typeof charge>[0]
type Row = Pick<ImageImportTable, 'id' | 'projectId' | 'siloId' | 'charged' | 'tagsJson'>

/** Bytes of the file, and of the disk once they are known. */
export interface ImportSize {
  file: number
  disk?: number
}

/** Charges an import for this size instead of the one before. Returns the column to store. Throws 507. */
export async function chargeImport(
  ctx: Charging,
  row: Row,
  size: ImportSize,
): Promise<Pick<ImageImportTable, 'charged'>> {
  const [before, charged] = [row.charged ?? 0, chargedFor(size)]
  if (charged !== before) await charge(ctx, row, { storage: charged - before, before: { storage: before } })
  return { charged }
}

/** Gives back all that an import was charged. */
export const releaseImport = (ctx: Charging, row: Row): Promise<Pick<ImageImportTable, 'charged'>> =>
  chargeImport(ctx, row, { file: 0 })
