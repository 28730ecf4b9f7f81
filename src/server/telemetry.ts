import { StartError } from './startError.js'

/** The operator installs these where traces are wanted; they are many times the size of the rest. */
const packages = {
  sdk: '@opentelemetry/sdk-trace-node',
  exporter: '@opentelemetry/exporter-trace-otlp-http',
  resources: '@opentelemetry/resources',
}
/** A collector that does not answer must not hold up the end. */
const patience = 2000

type Load = (name: string) => Promise<unknown>

/**
 * Sends traces to an OTLP collector. What else is set by `OTEL_…` variables (headers, sampler, service name) is read by
 * the SDK itself.
 * @returns sends what is left and ends it
 * @throws StartError that says what to install
 */
export async function startTelemetry(
  endpoint: string | null,
  load: Load = (name) => import(name),
): Promise<() => Promise<void>> {
  if (endpoint === null) return async () => {}
  const sdk = (await loadPackage(load, packages.sdk)) as typeof import('@opentelemetry/sdk-trace-node')
  const otlp = (await loadPackage(load, packages.exporter)) as typeof import('@opentelemetry/exporter-trace-otlp-http')
  const resources = (await loadPackage(load, packages.resources)) as typeof import('@opentelemetry/resources')
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const named = resources.resourceFromAttributes({ 'service.name': 'countersign' })
  const given = resources.detectResources({ detectors: [resources.envDetector] })
  const provider = new sdk.NodeTracerProvider({
    resource: resources.defaultResource().merge(named).merge(given),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  provider.register()
  return () => {
    const late = new Promise<void>((resolve) => setTimeout(resolve, patience).unref())
    return Promise.race([provider.shutdown().catch(() => {}), late])
  }
}

async function loadPackage(load: Load, name: string): Promise<unknown> {
  try {
    return await load(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const wanted = Object.values(packages).join(' ')
    throw new StartError(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but ${name} is not installed. ` +
        `Install what sends traces (npm install ${wanted}), or leave the variable out.`,
      error,
    )
  }
}
