import SchemaBuilder, { type ArgBuilder as ArgBuilderOf, type ObjectRef } from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import DataloaderPlugin from '@pothos/plugin-dataloader'
import PrismaPlugin from '@pothos/plugin-prisma'
import type { Json } from '../src/engine/model.js'
import type PrismaTypes from '../src/generated/pothos.js'
import { getDatamodel } from '../src/generated/pothos.js'
import { partition } from './access.js'
import type { Context } from './context.js'
import { tooComplex } from './errors.js'

/** What one operation may cost: each field 1, times the size of the pages around it. */
export const maxComplexity = 250_000

/** The builder that every module of the schema adds its noun to. Fields are not null unless they say so. */
export const builder = new SchemaBuilder<{
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: Date; Output: Date }
    JSON: { Input: Json; Output: unknown }
  }
}>({
  plugins: [PrismaPlugin, DataloaderPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  prisma: { client: (context) => partition(context).orm, dmmf: getDatamodel() },
  complexity: { limit: { complexity: maxComplexity }, complexityError: (_kind, result) => tooComplex(result) },
})

builder.queryType({ description: 'What can be read. Everything is confined to the caller’s partition.' })
builder.mutationType({
  description: 'What can be done. A refusal is an error with extensions code, messageKey and arguments.',
})
builder.subscriptionType({ description: 'What can be watched. Every event carries the cursor to resume after it.' })

type BuilderTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never

/** What the arguments of a field are made with. */
export type ArgBuilder = ArgBuilderOf<BuilderTypes>

/** A type of the schema whose values in the program are of this shape. */
export type Ref<Shape> = ObjectRef<BuilderTypes, Shape>
