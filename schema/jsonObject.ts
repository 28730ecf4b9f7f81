export { objectOrNull } from '../src/refusals.js'
