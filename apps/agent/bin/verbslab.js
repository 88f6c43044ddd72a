#!/usr/bin/env node
import { createRequire } from 'node:module';

const bundled = createRequire(import.meta.url);
if (bundled('../dist/bundle/cli/open-files.cjs').mayOpenFiles()) {
  await bundled('../dist/bundle/cli/main.cjs').main(process.argv);
} else {
  process.exitCode = 1;
}
