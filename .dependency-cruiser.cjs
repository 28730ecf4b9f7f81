const only = (name, from, to) => ({
  name,
  severity: 'error',
  comment: 'Imports point inward only: server → schema → handle → { engine, persistence }, workers → handle.',
  from: { path: from },
  to: { pathNot: to },
})

module.exports = {
  forbidden: [
    only('engine-is-pure', '^src/engine/', ['^src/engine/', '^node_modules/decimal\\.js/']),
    only('persistence-knows-only-engine-types', '^src/persistence/', [
      '^src/(persistence|engine|generated)/',
      '^node_modules/',
      '^src/runtime\\.ts$',
      '^[a-z_:/]+$',
    ]),
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'src/generated'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
}
