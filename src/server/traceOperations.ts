import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import type { ExecutionArgs } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import { codeOf, labelsOf } from './metrics.js'

/** A span for each GraphQL operation; of a subscription, for its preparation. It is named from the schema, never by callers. */
export function useOperationSpans(): Plugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const span = startSpan(args)
      setExecuteFn((args: ExecutionArgs) => context.with(trace.setSpan(context.active(), span), () => executeFn(args)))
      return { onExecuteDone: ({ result }) => end(span, isAsyncIterable(result) ? 'OK' : codeOf(result)) }
    },
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      const span = startSpan(args)
      setSubscribeFn((args: ExecutionArgs) =>
        context.with(trace.setSpan(context.active(), span), () => subscribeFn(args)),
      )
      return { onSubscribeResult: ({ result }) => end(span, isAsyncIterable(result) ? 'OK' : codeOf(result)) }
    },
  }
}

function startSpan(args: ExecutionArgs): Span {
  const { type, field } = labelsOf(args)
  const attributes = { 'graphql.operation.type': type, 'graphql.operation.field': field }
  return trace.getTracer('countersign').startSpan(`${type} ${field}`, { attributes })
}

function end(span: Span, code: string): void {
  span.setAttribute('countersign.code', code)
  if (code !== 'OK') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
