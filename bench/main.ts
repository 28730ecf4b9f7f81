import { benchApprove } from './approve.js'
import { benchEngine } from './engine.js'
import { benchLists } from './lists.js'
import { benchSubscribers } from './subscribers.js'

/** Each measurement prints what was reached, the floor measured in the same run, and their ratio. */
const benches: { [name: string]: () => Promise<void> } = {
  engine: benchEngine,
  approve: benchApprove,
  lists: benchLists,
  subscribers: benchSubscribers,
}

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !(name in benches))
if (unknown !== undefined) {
  console.error(`There is no measurement ${unknown}; there are: ${Object.keys(benches).join(', ')}.`)
  process.exitCode = 1
} else for (const name of asked.length > 0 ? asked : Object.keys(benches)) await benches[name]?.()
