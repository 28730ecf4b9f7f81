import type { Decimal } from 'decimal.js'
import { type Fault, fault } from '../model.js'

export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%'

/** A parsed expression; immutable, so that it may be cached. `at` is the 1-based position. */
export type Expression =
  | { kind: 'literal'; value: null | boolean | string | Decimal }
  | { kind: 'variable'; name: string; at: number }
  | { kind: 'member'; target: Expression; name: string }
  | { kind: 'index'; target: Expression; index: Expression; at: number }
  | { kind: 'call'; name: string; arguments: Expression[]; at: number }
  | { kind: 'unary'; operator: '!' | '-'; operand: Expression; at: number }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression; at: number }

/** Thrown inside this folder only; the exported functions give it back as a fault. */
export class ExpressionError extends Error {
  constructor(
    readonly key: string,
    readonly position: number,
    readonly facts: { [name: string]: string } = {},
  ) {
    super(key)
  }

  toFault(expression: string): Fault {
    return fault('WORKFLOW_VALIDATION_003', `workflow.expression.${this.key}`, {
      expression,
      position: this.position,
      ...this.facts,
    })
  }
}
