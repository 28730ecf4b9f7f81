import type { Activity, PropertyDescriptor } from '../src/engine/activities/activity.js'
import { renderMessage } from '../src/messages/render.js'
import { builder } from './builder.js'

interface Property extends PropertyDescriptor {
  activityType: string
}

const ActivityProperty = builder.objectRef<Property>('ActivityProperty').implement({
  description: 'One setting of a kind of step.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name in the node’s properties.' }),
    type: t.exposeString('type', { description: 'What it takes: string, template, expression, boolean …' }),
    required: t.exposeBoolean('required', { description: 'Whether it must be given.' }),
    defaultValue: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What holds where it is not given.',
      resolve: (property) => property.defaultValue,
    }),
    values: t.stringList({
      nullable: true,
      description: 'What may be chosen, where only certain values are allowed.',
      resolve: (property) => (property.values ? [...property.values] : null),
    }),
    description: t.string({
      nullable: true,
      description: 'What it is for, in the caller’s language.',
      resolve: ({ activityType, name }, _args, { locale }) =>
        renderMessage(locale, `workflow.activity.${activityType}.${name}`, {}),
    }),
  }),
})

const ActivityType = builder.objectRef<Activity>('ActivityType').implement({
  description: 'A kind of step that definitions can be made of.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'What stands in a node’s activityType.' }),
    displayName: t.string({
      description: 'The name in the caller’s language.',
      resolve: ({ type }, _args, { locale }) => renderMessage(locale, `workflow.activity.${type}.name`, {}),
    }),
    category: t.exposeString('category', { description: 'The group it is listed in.' }),
    categoryName: t.string({
      description: 'The name of the group in the caller’s language.',
      resolve: ({ category }, _args, { locale }) => renderMessage(locale, `workflow.category.${category}`, {}),
    }),
    description: t.string({
      nullable: true,
      description: 'What it does, in the caller’s language.',
      resolve: ({ type }, _args, { locale }) => renderMessage(locale, `workflow.activity.${type}.description`, {}),
    }),
    outgoing: t.exposeString('outgoing', {
      description: 'How the ways out are chosen: AllMatched, Exclusive, All or None.',
    }),
    properties: t.field({
      type: [ActivityProperty],
      description: 'Its settings.',
      resolve: ({ type, properties }) => properties.map((property) => ({ ...property, activityType: type })),
    }),
  }),
})

builder.queryField('activityTypes', (t) =>
  t.field({
    type: [ActivityType],
    description: 'The kinds of steps that definitions can be made of.',
    resolve: (_root, _args, { runtime }) => [...runtime.registry.activities.values()],
  }),
)
