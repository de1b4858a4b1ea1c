/** The steps 0050 to 0059. */
import { addSearched } from './search.ts'
import type { Step } from './step.ts'

export const steps0050to0059 = [
  {
    name: '0050-tests-of-identity-providers',
    tables: {
      signInTest: {
        columns: {
          id: 't',
          requestId: 't',
          providerId: 't',
          siloUserId: 't',
          sessionId: 't',
          timeCreated: 'i',
          timeExpires: 'i',
          outcomeJson: 't?',
        },
        key: ['siloUserId', 'id'],
        unique: [['requestId']],
        index: [['siloUserId', 'timeCreated'], ['providerId'], ['timeExpires']],
      },
    },
  },
  {
    name: '0053-probes-are-searched',
    fill: (db, { engine }) =>
      addSearched(db, engine, {
        kind: 'probe',
        table: 'probe',
        texts: ['name', 'description'],
        holder: 'projectId',
        project: 'projectId',
      }),
  },
] as const satisfies readonly Step[]
