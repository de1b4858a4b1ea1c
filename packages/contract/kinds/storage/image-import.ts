import { imageImportStates } from '#/rules/images/imports.ts'
import { byTime, kind } from '../kind.ts'

/** A file that becomes an image. The image has the id of the import, which is gone then. */
export const imageImport = kind({
  noun: 'image import',
  type: 'image-import',
  field: 'imageImport',
  parent: 'project',
  counts: { project: 20 },
  orders: byTime,
  states: imageImportStates,
})
