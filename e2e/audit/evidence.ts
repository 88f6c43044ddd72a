// All facts about a run apart from its page.
import type { ProcWatch } from './proc.js';
import type { RunExport } from './export.js';
import type { Latencies, Round } from './loops.js';
import { latenciesOfProgram } from './program.js';
import { latenciesOf, roundsOf } from './loops.js';
import type { Wire } from './wire.js';

export type Measured = 'rdma' | 'shm' | 'tcp';
export const MEASURED = ['rdma', 'shm', 'tcp'] as const;

export class Evidence {
  readonly data: RunExport;
  /** Null when the run has no capture. */
  readonly wire: Wire | null;
  readonly proc: ProcWatch | null;
  /** Result of the lab's check of memory, read from the memory of its endpoints: see memory.ts. */
  readonly memory: string | null;
  /** Parameters that the test gave the run, by name. The test gives no parameter its default. */
  readonly asked: Readonly<Record<string, string>>;
  /** Output and exit code of a program, as the test saw them. */
  readonly program: { printed: string; exitCode: number } | null;
  /** Runs of the programs at the other end, for a program. */
  readonly peers: readonly RunExport[];
  readonly #rounds = new Map<Measured, Round[]>();
  readonly #latencies = new Map<Measured, Latencies>();

  constructor(
    data: RunExport,
    wire: Wire | null,
    {
      proc = null,
      memory = null,
      program = null,
      asked = {},
      peers = [],
    }: Partial<Pick<Evidence, 'proc' | 'memory' | 'program' | 'asked' | 'peers'>> = {},
  ) {
    this.data = data;
    this.wire = wire;
    this.proc = proc;
    this.memory = memory;
    this.program = program;
    this.peers = peers;
    this.asked = asked;
  }

  rounds(transport: Measured): Round[] {
    const known = this.#rounds.get(transport) ?? roundsOf(this.data, transport);
    this.#rounds.set(transport, known);
    return known;
  }

  latencies(transport: Measured): Latencies {
    const known =
      this.#latencies.get(transport) ??
      (this.data.run.lab === 'program' ? latenciesOfProgram(this.data) : latenciesOf(this.data, transport));
    this.#latencies.set(transport, known);
    return known;
  }

  /** Rounds over RDMA, on either link. */
  get verbsRounds(): Round[] {
    return [...this.rounds('rdma'), ...this.rounds('shm')];
  }

  /** True if loops of RDMA and TCP ran at the same time. */
  get together(): boolean {
    const [rdma, tcp] = (['rdma', 'tcp'] as const).map((transport) =>
      this.rounds(transport).flatMap(({ client }) => client.intervals),
    );
    return rdma!.some((a) => tcp!.some((b) => a.t - a.intervalNs < b.t && b.t - b.intervalNs < a.t));
  }

  /** Value of a numeric parameter of the run. */
  param(name: string): number {
    return Number(this.data.run.parameters[name]);
  }

  /** Packets of the capture. Throws without a capture, because the page should not speak of packets then. */
  get packets(): Wire['packets'] {
    if (!this.wire) throw new Error('the run has no capture');
    return this.wire.packets;
  }
}
