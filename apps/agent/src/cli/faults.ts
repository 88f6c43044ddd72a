import { faultsText, FAULTS_WORDS, parseFaults, RULE_WORDS, type PlannedFaults } from '@verbslab/protocol';
import { Command } from 'commander';
import { findRun } from '../client/find-run.js';
import { connected } from './connected.js';
import { list } from './options.js';
import { injectedInto, readWords } from './planned-faults.js';
import { print, printJson } from './terminal.js';

interface FaultsOptions {
  endpoint?: string;
  rule?: string[];
  json?: boolean;
}

function plannedText({ at, endpoint, faults }: PlannedFaults): string {
  const what = faultsText(faults);
  return `${at.toFixed(3)} s  ${endpoint ?? 'all endpoints'}: ${what === '' ? 'none' : what}`;
}

/** `verbslab faults`: what devices do to the packets of a run in progress. */
export function faultsCommand(): Command {
  return new Command('faults')
    .description('lose, delay, damage and slow down packets of a run in progress')
    .argument('<run>', 'number or ID of the run')
    .argument(
      '[settings]',
      'as below; `off` for none; without settings and rules, print what was injected and when',
    )
    .option('-e, --endpoint <name>', 'only what this endpoint sends, such as client (default: all)')
    .option('-r, --rule <rule>', 'what to do to certain packets; can be repeated', list)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Settings replace what was set before, and act within 100 ms on what the device of an endpoint sends from
then on. Their names are those of tc-netem(8):
  ${FAULTS_WORDS}
Rules come before the settings; the first that matches a packet decides:
  ${RULE_WORDS}
The same seed picks the same packets, counted from the first after the change. Runs of labs and programs on the
embedded device; and labs on rxe in a machine of \`verbslab vms up\`, whose link they set by tc-netem(8): without
rules and seed. An endpoint of a program is one of its processes, such as “pid 4711”.

Examples:
  verbslab faults 12 loss=1%
  verbslab faults 12 delay=2ms,jitter=500us,rate=100mbit --endpoint server
  verbslab faults 12 --rule drop:opcode=0x11,times=1
  verbslab faults 12 off
  verbslab run bulk --faults loss=1% --faults at=3s,off
  verbslab run bulk --replay-faults 12
  verbslab exec --faults loss=1% -- ib_write_bw -d uroce0 -x 1 127.0.0.1`,
    )
    .action((name: string, settings: string | undefined, { endpoint, rule = [], json }: FaultsOptions) =>
      connected(async (client, _labs, address) => {
        if (settings === undefined && rule.length === 0) {
          const faults = await injectedInto(client, address, name);
          if (json) printJson({ faults });
          else print(faults.length === 0 ? 'Nothing was injected.' : faults.map(plannedText).join('\n'));
          return;
        }
        const faults = readWords(() => parseFaults(settings ?? '', rule));
        const { id, number } = await findRun(client, name);
        const { endpoints } = await client.request('run.faults', {
          runId: id,
          ...(endpoint === undefined ? {} : { endpoint }),
          faults,
        });
        if (json) printJson({ run: number, endpoints, faults });
        else print(`Run ${number}, ${endpoints.join(' and ')}: ${faultsText(faults) || 'no faults'}`);
      }),
    );
}
