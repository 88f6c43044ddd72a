#!/usr/bin/env node
import { mayOpenFiles } from '../dist/bundle/cli/open-files.js';

if (mayOpenFiles()) {
  const { main } = await import('../dist/bundle/cli/main.js');
  await main(process.argv);
} else {
  process.exitCode = 1;
}
