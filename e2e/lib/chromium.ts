import { existsSync } from 'node:fs';

const installed = (paths: (string | undefined)[]): string | undefined =>
  paths.find((path) => path !== undefined && existsSync(path));

/** Paths of users' browsers. Nothing is downloaded. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Chromium's engine without windows, which take a quarter of the CPU time. Its text spacing differs. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * Options for Playwright: a quiet browser without network requests of its own. Chromium's sandbox does not work as
 * root.
 */
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

/** Options for tests of behavior: the browser of CHROMIUM_PATH, the headless shell, or else Chromium. */
export const launchOptions = quiet(installed([CHROMIUM_PATH, HEADLESS_SHELL, ...CHROMIUM]));

/** Options for tests of looks and speed: the browser of CHROMIUM_PATH, or Chromium. */
export const launchOptionsOfUsers = quiet(installed([CHROMIUM_PATH, ...CHROMIUM, HEADLESS_SHELL]));
