import { builder } from './builder.js'

/** One row by its id. */
export const IdInput = builder.inputType('IdInput', {
  description: 'What is acted on, by its id.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id.' }) }),
})
