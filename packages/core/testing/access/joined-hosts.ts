/** For tests that reach the hosts as servers do. */
export { joinedHosts } from '#/resources/hardware/hosts.ts'
