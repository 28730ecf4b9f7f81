import {
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

// Without an SDK every call here does nothing: the API alone is a dependency.

/** The W3C header that carries a trace on. */
const header = 'traceparent'

/**
 * Runs something in a span of its own; what it calls is below it. What is thrown marks the span as failed, by its kind
 * alone: a text could hold a secret.
 */
export function inSpan<T>(name: string, options: SpanOptions, run: (span: Span) => Promise<T>): Promise<T> {
  return trace.getTracer('countersign').startActiveSpan(name, options, async (span) => {
    try {
      return await run(span)
    } catch (error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** Runs something below the span that a caller's headers name, if they name one. */
export function continueTrace<T>(headers: object, run: () => T): T {
  return context.with(propagation.extract(ROOT_CONTEXT, headers), run)
}

/** The headers that carry the trace of the running code to another server; none where it is not traced. */
export function traceHeaders(): { [name: string]: string } {
  const headers: { [name: string]: string } = {}
  propagation.inject(context.active(), headers)
  return headers
}

/** The trace context of the running code as text, to be kept with what it leaves for later. */
export function currentTraceparent(): string | null {
  return trace.getActiveSpan() ? (traceHeaders()[header] ?? null) : null
}

/** Options for a trace of its own that links to the one that left the work. */
export function causedBy(traceparent: string | null): { root: true; links: Link[] } {
  const cause =
    traceparent === null
      ? undefined
      : trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { [header]: traceparent }))
  return { root: true, links: cause ? [{ context: cause }] : [] }
}

/** The id of the trace that the running code belongs to, for the log. */
export function currentTraceId(): string | null {
  return trace.getActiveSpan()?.spanContext().traceId ?? null
}
