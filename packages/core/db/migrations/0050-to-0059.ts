/** The steps 0050 to 0059. */
import { addSearched } from './search.ts'
import { inProject, type Step } from './step.ts'

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
    name: '0052-first-hour',
    tables: {
      imageImport: {
        ...inProject({
          siloId: 't',
          os: 't',
          version: 't',
          blockSize: 'i',
          url: 't?',
          sha256: 't?',
          state: 't',
          format: 't?',
          problem: 't?',
          fileId: 't',
          received: 'i',
          size: 'i?',
          validator: 't?',
          attempts: 'i',
          dueAt: 'i?',
          layerId: 't?',
        }),
        index: [['projectId', 'id'], ['dueAt'], ['layerId']],
      },
      firstSteps: { columns: { siloUserId: 't', timeDismissed: 'i' }, key: ['siloUserId'] },
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
  {
    name: '0054-snapshots-of-running-disks',
    columns: {
      instance: { columns: { storage: 'i?', storageConfirmed: 'i?' } },
      snapshot: { columns: { storage: 'i?' }, index: [['storage']] },
    },
  },
  { name: '0055-imports-are-charged', columns: { imageImport: { columns: { charged: 'i?' } } } },
  { name: '0057-forced-stops', columns: { instance: { columns: { forcedBoot: 'i?' } } } },
  {
    name: '0058-hosts',
    tables: {
      host: {
        columns: {
          id: 't',
          address: 't',
          port: 'i',
          fingerprint: 't',
          state: 't',
          timeStateChanged: 'i',
          timeCreated: 'i',
          timeModified: 'i',
        },
        key: ['id'],
      },
      hostJoinCode: {
        columns: {
          id: 't',
          secretHash: 't',
          timeCreated: 'i',
          timeModified: 'i',
          timeExpires: 'i',
          userId: 't',
          userName: 't',
          userSiloId: 't',
          userSiloName: 't',
        },
        key: ['id'],
      },
      fleetAuthority: {
        columns: { id: 't', certPem: 't', keyPem: 't', timeCreated: 'i' },
        key: ['id'],
      },
    },
    columns: {
      sled: { columns: { hostId: 't?' }, index: [['hostId']] },
      switch: { columns: { hostId: 't?' } },
    },
  },
  { name: '0059-leases-of-hosts', columns: { lease: { columns: { epoch: 'i?' }, index: [['holder']] } } },
] as const satisfies readonly Step[]
