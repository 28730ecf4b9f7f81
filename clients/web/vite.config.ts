import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.COUNTERSIGN_URL ?? 'http://127.0.0.1:4000'

// Browsers that know light-dark(): what it is lowered to takes a color-scheme that is only known at run time.
const cssTarget = ['chrome123', 'firefox120', 'safari17.5']

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { target: 'es2022', cssTarget, outDir: 'dist', emptyOutDir: true, chunkSizeWarningLimit: 2000 },
  server: {
    proxy: { '/session': server, '/graphql': { target: server, ws: true } },
  },
})
