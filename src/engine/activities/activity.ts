import type { Json } from '../model.js'

/** How the outgoing transitions of a node are chosen once it has completed. */
export type Outgoing = 'AllMatched' | 'Exclusive' | 'All' | 'None'

/** What a designer is told about one property; texts come from the catalogs by type and name. */
export interface PropertyDescriptor {
  name: string
  type: PropertyType
  required: boolean
  defaultValue: Json
  /** The allowed values of an `enum`. */
  values?: readonly string[]
}

export type PropertyType =
  | 'string'
  | 'template'
  | 'expression'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'enum'
  | 'stringList'
  | 'rules'
  | 'object'
  | 'expressions'
  | 'json'
