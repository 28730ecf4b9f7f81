import type { TaskCommand } from '../src/engine/command.js'
import type { Refusal } from '../src/engine/model.js'
import { type Handled, handle } from '../src/handle.js'
import { isUuid } from '../src/persistence/text.js'
import { actorOf } from './access.js'
import type { Context } from './context.js'
import { taskNotFound } from './errors.js'

type Options = NonNullable<Parameters<typeof handle>[3]>

/** Carries out a command on a task; an id that is no UUID is that of no task. */
export async function act(context: Context, command: TaskCommand, options: Options = {}): Promise<Handled | Refusal> {
  if (!isUuid(command.taskId)) return taskNotFound(command.taskId)
  return await handle(context.runtime, actorOf(context), command, options)
}
