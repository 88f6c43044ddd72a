import { existsSync } from 'node:fs';

/** Debian's Chromium, or the one that CHROMIUM_PATH names. Nothing is downloaded. */
const executablePath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

/** For Playwright: a quiet browser that asks nothing of the network. Chromium's sandbox does not work as root. */
export const launchOptions = {
  ...(executablePath ? { executablePath } : {}),
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
