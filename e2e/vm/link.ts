/** The link between the machines: a check that it carries packets, and the machines' evidence if it does not. */
import { runIn } from '../../apps/agent/src/vms/exec-client.js';
import { setNetem } from '../../apps/agent/src/vms/netem.js';
import { end } from '../../apps/agent/src/vms/process.js';
import type { Vm } from '../../apps/agent/src/vms/state.js';
import type { Machines } from './guest.js';

/** Five pings, of which one has to come back: netem may lose some. */
const PING = 'busybox ping -c 5 -W 2';

const EVIDENCE = [
  'dmesg | grep -v promiscuous | tail -n 40',
  'ip -s link show eth0',
  'ip neigh show dev eth0',
  'tc -s qdisc show dev eth0',
  'cat /proc/interrupts',
  'head -n 3 /proc/meminfo',
];

export const DEAD_LINK = /^The link between the machines was dead/;

/** Time limit of a command in a machine that may be as broken as its link, ms. */
const PATIENCE = 20_000;

async function carries(from: Vm, to: Vm): Promise<boolean> {
  const { code } = await runIn(from, [...PING.split(' '), to.ipv4], {
    signal: AbortSignal.timeout(PATIENCE),
  });
  return code === 0;
}

/** Returns the output of the commands, each under its command line. */
async function evidence(vm: Vm): Promise<string> {
  const line = ['exec 2>&1', ...EVIDENCE.map((one) => `echo '${vm.name}# ${one}'; ${one}`)].join('\n');
  const asked = runIn(vm, ['sh', '-c', line], { signal: AbortSignal.timeout(PATIENCE) });
  return asked.then(({ stdout }) => stdout, String);
}

export class Link {
  readonly #machines: Machines;
  /** Puts the files of the suite into a machine. */
  readonly furnish: (vm: Vm) => Promise<void>;
  #netem: readonly string[] = [];
  readonly #restarted = new Set<(vm: Vm) => Promise<void>>();

  constructor(machines: Machines, furnish: (vm: Vm) => Promise<void>) {
    this.#machines = machines;
    this.furnish = furnish;
  }

  /** Sets netem on the link, in both directions. An empty list clears it. */
  async impair(settings: readonly string[]): Promise<void> {
    this.#netem = settings;
    for (const vm of this.#machines.state.vms) await setNetem(vm, settings);
  }

  /** Calls `listener` when a machine was restarted. The returned function ends that. */
  onRestart(listener: (vm: Vm) => Promise<void>): () => void {
    this.#restarted.add(listener);
    return () => void this.#restarted.delete(listener);
  }

  /**
   * Checks that pings pass between the machines. Without them no test of RDMA means anything. If none passes, it prints
   * the machines' evidence, restarts the second machine, and the first too if that did not help. Then it throws an
   * error that DEAD_LINK matches.
   */
  async revive(): Promise<void> {
    const [first, second] = this.#machines.state.vms.map(({ name }) => name) as [string, string];
    const alive = (): Promise<boolean> =>
      carries(this.#machines.get(second), this.#machines.get(first)).catch(() => false);
    if (await alive()) return;
    const known = await Promise.all(this.#machines.state.vms.map(evidence));
    process.stderr.write(`  the link between the machines is dead\n${known.join('\n')}\n`);
    await this.#restart(second);
    const enough = await alive();
    if (!enough) await this.#restart(first);
    throw new Error(
      `The link between the machines was dead. Started again: ${[second, ...(enough ? [] : [first])].join(' and ')}.`,
    );
  }

  async #restart(name: string): Promise<void> {
    process.stderr.write(`  restarting ${name}\n`);
    await end(this.#machines.get(name));
    await this.#machines.up();
    const again = this.#machines.get(name);
    await this.furnish(again);
    await setNetem(again, this.#netem);
    for (const listener of this.#restarted) await listener(again);
  }
}
