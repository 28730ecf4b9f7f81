import { defineConfig, mergeConfig } from 'vitest/config'
import standard from './vitest.config.js'

/** The fault campaigns: minutes each, one after the other, by `npm run campaign`. */
const config = mergeConfig(standard, defineConfig({ test: { testTimeout: 1_200_000, maxWorkers: 1 } }))
export default { ...config, test: { ...config.test, include: ['test/campaign/**/*.campaign.ts'] } }
