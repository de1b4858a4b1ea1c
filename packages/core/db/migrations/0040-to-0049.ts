import { sql } from 'kysely'
import { id, identity, inProject, type Step } from './step.ts'

export const steps0040to0049 = [
  {
    name: '0040-snapshot-schedules',
    columns: { snapshot: { columns: { scheduleId: 't?' }, index: [['scheduleId', 'timeCreated']] } },
    tables: {
      snapshotSchedule: {
        columns: {
          id: 't',
          diskId: 't',
          userId: 't',
          everyHours: 'i',
          timeFirstRun: 'i',
          keep: 'i',
          timeCreated: 'i',
          timeModified: 'i',
          timeDue: 'i?',
          leaseUntil: 'i',
          timeLastRun: 'i?',
          lastError: 't?',
          failedSince: 'i?',
        },
        key: id,
        unique: [['diskId']],
        index: [['timeDue'], ['failedSince']],
      },
    },
  },
  { name: '0041-receivers-by-email', columns: { alertReceiver: { columns: { toJson: 't?' } } } },
  {
    name: '0042-probes',
    columns: { networkInterface: { columns: { owner: 't?' } } },
    tables: {
      probe: {
        ...inProject({ sledId: 't', subnetId: 't' }),
        index: [['projectId', 'id'], ['sledId'], ['subnetId']],
      },
    },
    fill: async (db) => {
      await sql`update ${sql.table('networkInterface')} set ${sql.ref('owner')} = 'instance'`.execute(db)
    },
  },
  {
    name: '0043-identity-providers',
    tables: {
      identityProvider: {
        columns: { ...identity, siloId: 't', providerType: 't' },
        key: id,
        unique: [['siloId', 'name']],
        index: [['siloId', 'id']],
      },
      samlProvider: {
        columns: {
          id: 't',
          entityId: 't',
          serviceEntityId: 't',
          acsUrl: 't',
          sloUrl: 't',
          contactEmail: 't',
          groupAttribute: 't?',
          publicCert: 't?',
          privateKey: 't?',
          signOnUrl: 't',
          certificatesJson: 't',
          metadataUrl: 't?',
          timeRead: 'i',
          timeDue: 'i?',
          failure: 't?',
        },
        key: id,
        index: [['timeDue']],
      },
      samlAnswer: {
        columns: { key: 't', timeForgotten: 'i' },
        key: ['key'],
        index: [['timeForgotten']],
      },
    },
  },
  {
    name: '0044-openid-connect',
    columns: {
      session: {
        columns: { providerId: 't?', providerSubject: 't?', providerSession: 't?' },
        index: [['providerId', 'providerSubject']],
      },
    },
    tables: {
      oidcProvider: {
        columns: {
          id: 't',
          issuer: 't',
          clientId: 't',
          clientSecret: 't',
          scopesJson: 't',
          nameClaim: 't',
          groupsClaim: 't?',
          metadataJson: 't',
          timeRead: 'i',
          timeDue: 'i',
          failure: 't?',
        },
        key: id,
        index: [['timeDue']],
      },
    },
  },
  {
    name: '0045-second-factors',
    columns: { silo: { columns: { needsSecondFactor: 'i?' } } },
    tables: {
      secondFactor: {
        columns: {
          ...identity,
          siloUserId: 't',
          type: 't',
          timeLastUsed: 'i?',
          secret: 't?',
          lastStep: 'i?',
          credential: 't?',
          publicKey: 't?',
          counter: 'i?',
          host: 't?',
        },
        key: id,
        unique: [['siloUserId', 'name']],
        index: [['siloUserId', 'id']],
      },
      recoveryCode: {
        columns: { siloUserId: 't', codeHash: 't' },
        key: ['siloUserId', 'codeHash'],
        inOrderOfKey: true,
      },
      signInChallenge: {
        columns: {
          id: 't',
          siloUserId: 't',
          step: 't',
          wrong: 'i',
          challenge: 't',
          secret: 't?',
          timeExpires: 'i',
        },
        key: id,
        index: [['siloUserId'], ['timeExpires']],
      },
    },
  },
  { name: '0046-deactivated-users', columns: { siloUser: { columns: { timeDeactivated: 'i?' } } } },
  {
    name: '0047-scim',
    columns: {
      siloUser: {
        columns: { nameKey: 't?', providerKey: 't?', profileJson: 't?' },
        unique: [['siloId', 'nameKey']],
        index: [['siloId', 'providerKey']],
      },
      siloGroup: {
        columns: { nameKey: 't?', providerKey: 't?' },
        unique: [['siloId', 'nameKey']],
        index: [['siloId', 'providerKey']],
      },
      scimToken: { columns: { label: 't?', timeLastUsed: 'i?' } },
    },
    tables: {
      principalKey: {
        columns: { siloId: 't', attribute: 't', value: 't', principalId: 't' },
        key: ['siloId', 'attribute', 'value', 'principalId'],
        index: [['principalId']],
      },
    },
  },
  { name: '0048-clients-of-sessions', columns: { session: { columns: { address: 't?', userAgent: 't?' } } } },
  {
    name: '0049-service-accounts',
    columns: {
      siloUser: { columns: { isServiceAccount: 'i?' } },
      accessToken: {
        columns: { label: 't?', isReadOnly: 'i?', onlyProjectId: 't?', timeLastUsed: 'i?' },
        index: [['onlyProjectId']],
      },
    },
    tables: {
      serviceAccount: {
        columns: { ...identity, siloId: 't', isDisabled: 'i' },
        key: id,
        unique: [['siloId', 'name']],
        index: [['siloId', 'id']],
      },
    },
  },
] as const satisfies readonly Step[]
