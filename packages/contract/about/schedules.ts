/** Sentences about the operations on schedules of projects. */
export const ofSchedules = {
  scheduleList: 'List the schedules of a project, which start or stop instances or take snapshots at times.',
  scheduleCreate:
    'Create a schedule that starts or stops the named instances, or those with a tag, or takes snapshots of instances or disks. It runs in the name of the caller, whose permission is checked at each run.',
  scheduleUpdate:
    'Change a schedule. From then on it runs in the name of the caller. What it names replaces what it was for before.',
  scheduleDelete: 'Delete a schedule. A run that has begun goes on.',
  scheduleRun:
    'Begin a run of a schedule now, in the name of the caller. The answer is its task. Runs that are due later are made as before.',
}
