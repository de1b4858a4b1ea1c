import { id, type Step } from './step.ts'

export const steps0030to0039 = [
  {
    name: '0030-roll-out',
    tables: {
      updateComponent: {
        columns: {
          id: 't',
          kind: 't',
          unitKind: 't',
          unitId: 't',
          version: 't?',
          versionSince: 'i',
          missingSince: 'i?',
        },
        key: id,
      },
      rollOut: {
        columns: {
          id: 't',
          userId: 't',
          pausedSince: 'i?',
          timeLastStep: 'i',
          unitKind: 't?',
          unitId: 't?',
          phase: 't?',
          phaseSince: 'i?',
          hasMaintenance: 'i',
          waitsFor: 't?',
          waitsSince: 'i?',
        },
        key: id,
      },
    },
  },
  {
    name: '0031-load-of-sleds',
    tables: {
      sledLoad: {
        columns: { sledId: 't', at: 'i', threads: 'i', memory: 'i', storage: 'i' },
        key: ['sledId', 'at'],
        inOrderOfKey: true,
      },
    },
  },
] as const satisfies readonly Step[]
