const only = (name, from, to) => ({
  name,
  severity: 'error',
  comment: 'Imports point inward only: server → schema → handle → { engine, persistence }, workers → handle.',
  from: { path: from },
  to: { pathNot: to },
})

const engine = '^src/engine/'
const persistence = '^src/persistence/'
const messages = '^src/messages/'
const workers = '^src/workers/'
const outbound = '^src/outbound/'
/** The files right below src: the shell around the engine. */
const shell = '^src/(?!index\\.ts$)[a-zA-Z]+\\.ts$'
const generated = '^src/generated/'
const outside = ['^node_modules/', '^@nats-io/', '^[a-z_:/]+$']

module.exports = {
  forbidden: [
    only('engine-is-pure', engine, [engine, '^node_modules/(decimal\\.js|croner)/']),
    only('persistence-knows-only-the-engine', persistence, [persistence, engine, generated, '^src/runtime\\.ts$', ...outside]),
    only('messages-know-only-the-engine', messages, [messages, engine, ...outside]),
    only('the-way-out-knows-only-the-engine', outbound, [outbound, engine, '^src/(cloudEvent|tracing)\\.ts$', ...outside]),
    only('the-shell-knows-engine-and-persistence', shell, [shell, engine, persistence, generated, ...outside]),
    only('workers-go-through-the-shell', workers, [workers, shell, engine, persistence, generated, ...outside]),
    only('the-builder-knows-only-the-engine', '^src/builder/', ['^src/builder/', engine]),
    only('the-library-stands-beside-the-server', '^src/(embedded|testing)/', [
      '^src/(embedded|testing|builder)/', '^src/server/(node|config)\\.ts$', shell, engine, persistence, messages, workers, generated, ...outside,
    ]),
    only('schema-does-not-know-the-server', '^schema/', ['^schema/', shell, engine, persistence, messages, workers, generated, ...outside]),
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'src/generated'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
}
