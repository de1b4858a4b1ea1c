/** The steps 0060 to 0069. */
import { machineSizes } from './machine-sizes.ts'
import type { Step } from './step.ts'
import { tags } from './tags.ts'

const isProtected = { columns: { isProtected: 'i?' } } as const

export const steps0060to0069 = [
  {
    name: '0060-protection-from-deletion',
    columns: {
      project: isProtected,
      instance: isProtected,
      disk: isProtected,
      snapshot: isProtected,
      image: isProtected,
      externalIp: isProtected,
      vpc: isProtected,
    },
  },
  {
    name: '0061-forgotten-hosts',
    tables: {
      forgottenHost: {
        columns: { id: 't', address: 't', port: 'i', timeForgotten: 'i' },
        key: ['id'],
      },
    },
  },
  { name: '0064-operations-of-items', columns: { taskItem: { columns: { operation: 't?' } } } },
  tags,
  machineSizes,
  { name: '0067-tags-of-tasks', columns: { task: { columns: { tagsJson: 't?' } } } },
] as const satisfies readonly Step[]
