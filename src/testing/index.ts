/** `countersign/testing`: runs of definitions in memory, for the tests of those who write them. */
export type { HttpReply, TestOptions } from './options.js'
export { type TestAnswer, TestRun, type TestTask, testRun } from './testRun.js'
