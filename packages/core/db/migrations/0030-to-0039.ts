import { sql } from 'kysely'
import { id, identity, type Step } from './step.ts'

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
  {
    name: '0032-addresses-of-the-network',
    tables: {
      addressLot: {
        columns: { ...identity, kind: 't' },
        key: id,
        unique: [['name']],
      },
      addressLotBlock: {
        columns: { id: 't', addressLotId: 't', firstKey: 't', lastKey: 't' },
        key: id,
        index: [['addressLotId', 'id'], ['firstKey']],
      },
      loopbackAddress: {
        columns: {
          id: 't',
          addressLotBlockId: 't',
          rackId: 't',
          switchLocation: 't',
          ipKey: 't',
          width: 'i',
          isAnycast: 'i',
        },
        key: id,
        unique: [['ipKey', 'rackId', 'switchLocation']],
        index: [['addressLotBlockId']],
      },
      edge: {
        columns: {
          id: 't',
          allowedIps: 't?',
          timeAllowListCreated: 'i',
          timeAllowListModified: 'i',
          answersPings: 'i',
        },
        key: id,
      },
    },
    fill: async (db, { now }) => {
      const columns = ['id', 'timeAllowListCreated', 'timeAllowListModified', 'answersPings'].map((one) =>
        sql.ref(one),
      )
      await sql`insert into edge (${sql.join(columns)}) values ('edge', ${now}, ${now}, 0)`.execute(db)
    },
  },
  { name: '0033-lists-to-confirm', columns: { edge: { columns: { formerIps: 't?', timeRollBack: 'i?' } } } },
  {
    name: '0034-alerts',
    columns: { instance: { columns: {}, index: [['runState', 'id']] } },
    tables: {
      alertReceiver: { columns: { ...identity, endpoint: 't' }, key: id, unique: [['name']] },
      webhookSecret: {
        columns: { id: 't', alertReceiverId: 't', secret: 't', timeCreated: 'i' },
        key: id,
        index: [['alertReceiverId', 'id']],
      },
      alertSubscription: {
        columns: { alertReceiverId: 't', subscription: 't' },
        key: ['alertReceiverId', 'subscription'],
      },
      alert: {
        columns: {
          id: 't',
          class: 't',
          findingId: 't',
          severity: 't',
          subjectType: 't',
          subjectId: 't',
          subjectName: 't',
          within: 't?',
          text: 't',
          advice: 't',
          timeStarted: 'i',
          timeEnded: 'i?',
          timeAcknowledged: 'i?',
          acknowledgedBy: 't?',
          silencedUntil: 'i?',
        },
        key: id,
        index: [
          ['timeStarted', 'id'],
          ['findingId', 'timeStarted'],
        ],
      },
      alertDelivery: {
        columns: {
          id: 't',
          alertReceiverId: 't',
          alertId: 't',
          alertClass: 't',
          state: 't',
          trigger: 't',
          timeStarted: 'i',
          dueAt: 'i?',
          attemptsJson: 't',
        },
        key: id,
        index: [
          ['alertReceiverId', 'timeStarted', 'id'],
          ['dueAt', 'alertReceiverId'],
          ['alertId', 'alertReceiverId'],
        ],
      },
    },
  },
  {
    name: '0035-settings-of-switches',
    columns: { switchPort: { columns: {}, index: [['portSettingsId']] } },
    tables: {
      bgpAnnounceSet: { columns: identity, key: id, unique: [['name']] },
      bgpAnnouncement: {
        columns: { id: 't', bgpAnnounceSetId: 't', addressLotBlockId: 't', network: 't' },
        key: id,
        index: [['bgpAnnounceSetId', 'id'], ['addressLotBlockId']],
      },
      bgpConfig: {
        columns: { ...identity, asn: 'i', bgpAnnounceSetId: 't', vrf: 't?' },
        key: id,
        unique: [['name']],
        index: [['asn'], ['bgpAnnounceSetId']],
      },
      switchPortSettings: {
        columns: { ...identity, geometry: 't', layoutJson: 't' },
        key: id,
        unique: [['name']],
      },
      switchPortAddress: {
        columns: {
          id: 't',
          switchPortSettingsId: 't',
          addressLotBlockId: 't',
          linkName: 't',
          ipKey: 't',
          width: 'i',
          vlanId: 'i?',
        },
        key: id,
        index: [['switchPortSettingsId', 'id'], ['addressLotBlockId'], ['ipKey']],
      },
      switchPortPeer: {
        columns: {
          id: 't',
          switchPortSettingsId: 't',
          bgpConfigId: 't',
          linkName: 't',
          peerJson: 't',
          md5AuthKey: 't?',
        },
        key: id,
        index: [['switchPortSettingsId', 'id'], ['bgpConfigId']],
      },
      bfdSession: {
        columns: {
          id: 't',
          switchLocation: 't',
          remoteKey: 't',
          localKey: 't?',
          mode: 't',
          detectionThreshold: 'i',
          requiredRx: 'i',
        },
        key: id,
        unique: [['switchLocation', 'remoteKey']],
      },
    },
  },
  {
    name: '0036-support-bundles',
    tables: {
      supportBundle: {
        columns: {
          id: 't',
          state: 't',
          reasonForCreation: 't',
          reasonForFailure: 't?',
          userComment: 't?',
          timeCreated: 'i',
          fileId: 't?',
          size: 'i?',
          leaseUntil: 'i',
        },
        key: id,
        index: [['timeCreated', 'id']],
      },
    },
  },
  {
    name: '0037-pushes-to-switches',
    columns: {
      switch: {
        columns: {
          pushVersion: 'i?',
          pushDigest: 't?',
          timePushed: 'i?',
          pushFailure: 't?',
          timePushFailed: 'i?',
          pushFailures: 'i?',
        },
      },
    },
  },
  {
    name: '0038-schedule-of-backups',
    tables: {
      backupSchedule: {
        columns: {
          id: 't',
          everyMs: 'i',
          timeDue: 'i',
          timeDone: 'i?',
          backupId: 't?',
          bytes: 'i?',
          failure: 't?',
          failedSince: 'i?',
        },
        key: id,
      },
    },
  },
  {
    name: '0039-changes-to-confirm',
    tables: {
      unconfirmed: { columns: { id: 't', formerJson: 't', timeRollBack: 'i' }, key: id },
    },
    fill: async (db) => {
      const { rows } = await sql<{ formerIps: string | null; timeRollBack: number }>`
        select ${sql.ref('formerIps')}, ${sql.ref('timeRollBack')} from edge
        where ${sql.ref('timeRollBack')} is not null`.execute(db)
      const columns = sql.join(['id', 'formerJson', 'timeRollBack'].map((one) => sql.ref(one)))
      for (const { formerIps, timeRollBack } of rows)
        await sql`insert into unconfirmed (${columns})
          values ('allowList', ${JSON.stringify(formerIps)}, ${timeRollBack})`.execute(db)
    },
  },
] as const satisfies readonly Step[]
