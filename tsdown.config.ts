import { defineConfig } from 'tsdown';
import { mdText } from './md-text.ts';

export default defineConfig({
  entry: { main: 'src/main.ts', index: 'src/index.ts', testing: 'src/testing.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outDir: 'dist',
  clean: true,
  dts: true,
  minify: false,
  sourcemap: false,
  plugins: [mdText()],
});
