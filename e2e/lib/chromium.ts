import { existsSync } from 'node:fs';

const installed = (paths: (string | undefined)[]): string | undefined =>
  paths.find((path) => path !== undefined && existsSync(path));

/** What people have. Nothing is downloaded. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** The same engine without the browser's own windows, which take a quarter of the CPU time. Its text is spaced otherwise. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** For Playwright: a quiet browser that asks nothing of the network. Chromium's sandbox does not work as root. */
const quiet = (executablePath: string | undefined) => ({
  ...(executablePath ? { executablePath } : {}),
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});

const { CHROMIUM_PATH } = process.env;

/** For what pages do: the browser that CHROMIUM_PATH names, the headless shell, or else Chromium. */
export const launchOptions = quiet(installed([CHROMIUM_PATH, HEADLESS_SHELL, ...CHROMIUM]));

/** For how pages look and how fast they are: the browser that CHROMIUM_PATH names, or Chromium. */
export const launchOptionsOfUsers = quiet(installed([CHROMIUM_PATH, ...CHROMIUM, HEADLESS_SHELL]));
