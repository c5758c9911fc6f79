import { defineConfig } from 'vitest/config';
import { mdText } from './md-text.ts';

export default defineConfig({
  plugins: [mdText()],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: process.env.CHATCLI_TEST_LONG ? [] : ['test/long/**', 'test/**/*.slow.test.ts'],
    reporters: ['default', './scripts/lib/skips-reporter.mjs'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/helpers/global-setup.ts'],
  },
});
