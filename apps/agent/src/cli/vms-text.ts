import { plural } from '@verbslab/labs';
import type { VmStep } from '../vms/boot.js';
import type { VmStatus, VmsStatus } from '../vms/status.js';
import { bad, bold, good, muted, printNote, StatusLine, table } from './terminal.js';

/** Progress of the machines as they boot: a line that changes on a terminal, or a line per step elsewhere. */
export class BootProgress {
  readonly #started = Date.now();
  readonly #steps = new Map<string, VmStep>();
  readonly #line = new StatusLine();
  #timer: NodeJS.Timeout | null = null;

  readonly step = (name: string, step: VmStep): void => {
    this.#steps.set(name, step);
    if (process.stderr.isTTY) {
      this.#show();
      this.#timer ??= setInterval(() => this.#show(), 500).unref();
    } else {
      printNote(`${this.#seconds()} s  ${name}: ${step}`);
    }
  };

  readonly end = (): void => {
    if (this.#timer) clearInterval(this.#timer);
    this.#line.clear();
  };

  #seconds(): string {
    return ((Date.now() - this.#started) / 1000).toFixed(1);
  }

  #show(): void {
    const steps = [...this.#steps].map(([name, step]) => `${name}: ${step}`);
    this.#line.show(`${steps.join('   ')}   ${this.#seconds()} s`);
  }
}

const CONDITIONS: Readonly<Record<VmStatus['condition'], string>> = {
  ready: good('ready'),
  silent: bad('does not answer'),
  crashed: bad('crashed'),
};

const ACCEL = { kvm: 'KVM', tcg: 'software emulation' };

export function describeVms(now: VmsStatus): string {
  const rows = now.vms.map((vm) => [
    bold(vm.name),
    CONDITIONS[vm.condition],
    vm.ipv4,
    vm.rdma === null ? '' : `rxe0 ${vm.rdma}`,
    `agent https://${vm.agent.address}:${vm.agent.port}`,
    vm.netem === null ? '' : `netem ${vm.netem}`,
  ]);
  const size = `${plural(now.cpus, 'CPU')}, ${now.memory} MiB, link MTU ${now.mtu}`;
  const parts = [table(rows), muted(`Linux ${now.kernel}, ${ACCEL[now.accel]}, ${size}`)];
  for (const vm of now.vms.filter(({ condition }) => condition === 'crashed'))
    parts.push(
      `${bad(`${vm.name} has crashed`)}; \`verbslab vms up\` starts it again. Its last console lines:\n${muted(vm.lastWords ?? '')}`,
    );
  return parts.join('\n');
}
