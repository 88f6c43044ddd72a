// npm run setup: installs and builds what is missing, and stops there.
import { done, run } from './lib/say.mjs';
import { setup } from './lib/setup.mjs';

await run(async () => {
  await setup({ test: process.argv.includes('--test') });
  done('everything is in place');
});
