/** Of our own: the steps to the first running instance, and whether the signed-in user still wants to see them. */
import { array, boolean, enumOf, object, ref, unlimited } from '#/schema.ts'
import { settingOps } from '../setting.ts'

/** The steps to the first running instance, in their order. */
export const neededSteps = ['address_pool', 'project', 'image', 'instance'] as const
/** Steps of administrators that should not be forgotten. */
export const advisedSteps = ['people', 'certificate', 'backup'] as const
const stepNames = [...neededSteps, ...advisedSteps] as const
export type StepName = (typeof stepNames)[number]

const step = ref('FirstStep', object({ step: enumOf(stepNames), done: boolean(), permitted: boolean() }))

export const { firstStepsView, firstStepsUpdate } = settingOps('firstSteps', {
  path: '/v1/me/first-steps', tag: 'session', view: 'user', update: 'user',
  body: ref('FirstStepsUpdate', object({ dismissed: boolean() })),
  response: ref('FirstSteps', object({ dismissed: boolean(), steps: array(step, unlimited) })),
})
