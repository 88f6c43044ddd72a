import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { AgentClient } from '../client/client.js';
import { addressOf } from '../client/find.js';
import { homeAt, homePath, type Home } from '../config/home.js';
import { requireRunning, linkTo, type InstanceState } from '../config/instance.js';
import { leadOnPage } from '../server/pages.js';
import { print } from './terminal.js';

/** A link to print, and another one for the browser that is opened: each signs in only once. */
type Links = readonly [printed: string, opened: string];

/** Fetches fresh links from a running agent. */
export async function linksTo(state: InstanceState, home: Home): Promise<Links> {
  const { client } = await AgentClient.connect(addressOf(state, home));
  try {
    const link = async (): Promise<string> =>
      linkTo(state.page, (await client.request('sign-in.code', {})).code);
    return [await link(), await link()];
  } finally {
    await client.close();
  }
}

/**
 * Opens a link in the user’s browser if there is a display; a failure is ignored. The browser gets the name of a file
 * that only this user can read: every user can read the arguments of a process.
 */
function openBrowser(home: Home, link: string): void {
  const mac = process.platform === 'darwin';
  if (!mac && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const temporary = `${home.redirect}.${process.pid}`;
  writeFileSync(temporary, leadOnPage(link), { mode: 0o600 });
  renameSync(temporary, home.redirect);
  const child = spawn(mac ? 'open' : 'xdg-open', [home.redirect], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

export function showDashboard(home: Home, [printed, opened]: Links, open: boolean): void {
  print(printed);
  if (open) openBrowser(home, opened);
}

export function openCommand(): Command {
  return new Command('open')
    .description('print a new address of the running dashboard and open it')
    .option('--no-open', 'print the address without opening a browser')
    .addHelpText(
      'after',
      `
The address signs in one browser, once, within 15 minutes. It works for \`verbslab up\` and \`verbslab agent\`.

Examples:
  verbslab open
  verbslab open --no-open                 for a browser elsewhere, over ssh -L`,
    )
    .action(async ({ open }: { open: boolean }) => {
      const home = homeAt(homePath());
      const state = await requireRunning(home);
      showDashboard(home, await linksTo(state, home), open);
    });
}
