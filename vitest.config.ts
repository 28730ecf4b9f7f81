import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Packages load this build; the runner would give our own files the other one, and GraphQL takes no two of them.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/globalSetup.ts'],
    pool: 'forks',
    // A worker keeps what its files import and the PGlite that they share: a support module may register no hooks of its own.
    isolate: false,
    // One PGlite is some 400 MB: as many workers as cores, no more.
    maxWorkers: 2,
    hookTimeout: 120_000,
    // Long, as are all waits: a loaded machine is no fault.
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
