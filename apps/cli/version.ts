/** The version of the command line. */
export const version = '0.1.0'
