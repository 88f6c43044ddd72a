/** The link between the machines: whether it carries anything, and what the machines know of it when it does not. */
import { runIn } from '../../apps/agent/src/vms/exec-client.js';
import { setNetem } from '../../apps/agent/src/vms/netem.js';
import { end } from '../../apps/agent/src/vms/process.js';
import type { Vm } from '../../apps/agent/src/vms/state.js';
import type { Machines } from './guest.js';

/** Five, of which one has to come back: netem may lose some. */
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

/** ms for one command in a machine that may be as ill as its link. */
const PATIENCE = 20_000;

async function carries(from: Vm, to: Vm): Promise<boolean> {
  const { code } = await runIn(from, [...PING.split(' '), to.ipv4], {
    signal: AbortSignal.timeout(PATIENCE),
  });
  return code === 0;
}

/** What the commands print, each under its line. */
async function evidence(vm: Vm): Promise<string> {
  const line = ['exec 2>&1', ...EVIDENCE.map((one) => `echo '${vm.name}# ${one}'; ${one}`)].join('\n');
  const asked = runIn(vm, ['sh', '-c', line], { signal: AbortSignal.timeout(PATIENCE) });
  return asked.then(({ stdout }) => stdout, String);
}

export class Link {
  readonly #machines: Machines;
  /** Puts into a machine what the suite needs there. */
  readonly furnish: (vm: Vm) => Promise<void>;
  #netem: readonly string[] = [];
  readonly #restarted = new Set<(vm: Vm) => Promise<void>>();

  constructor(machines: Machines, furnish: (vm: Vm) => Promise<void>) {
    this.#machines = machines;
    this.furnish = furnish;
  }

  /** What netem does to it, in both directions; nothing for an empty list. */
  async impair(settings: readonly string[]): Promise<void> {
    this.#netem = settings;
    for (const vm of this.#machines.state.vms) await setNetem(vm, settings);
  }

  /** Calls `listener` when a machine was started again; the result ends that. */
  onRestart(listener: (vm: Vm) => Promise<void>): () => void {
    this.#restarted.add(listener);
    return () => void this.#restarted.delete(listener);
  }

  /**
   * Looks whether pings pass between the machines. If not, no test of RDMA means anything: prints what the machines know
   * and restarts the second, and the first too if that did not help. Then it throws: DEAD_LINK knows the error.
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
