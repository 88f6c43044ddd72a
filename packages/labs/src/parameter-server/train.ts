/** Training with the same task twice: all workers in lockstep, then one after the other. */
import { inPhase } from '../endpoints/phase.js';
import { plural } from '../base/format.js';
import type { Context, Ends, Worker } from './endpoints.js';
import { inOrder, publish, pull, push, postRecvs, take, type Taken } from './exchange.js';
import { chunksOf, parametersOf, type Model } from './layout.js';
import { distanceOf, expectedDistances, gradientOf, optimumOf, update } from './training.js';

export type Way = 'synchronous' | 'asynchronous';

/** An update of the model. */
interface Update {
  worker: number;
  /** Version that its gradient was computed from, and version that it was applied to. */
  read: number;
  appliedTo: number;
  /** Distance to the optimum afterward; at the start it is 1. */
  distance: number;
}

export interface Trained {
  way: Way;
  updates: Update[];
  /** Gradients that went into each update. */
  gradients: number;
  taken: Taken[];
  /** Pushes whose chunks came in the order of their numbers, of all. */
  ordered: number;
  /** Pushes before which the worker had READ that the server has taken its last one. */
  free: number;
  /** Completions that the server’s CQ held after pulls. */
  toldByPulls: number;
  pulls: number;
}

/** The state of one training, at the server and at each worker. */
class Training {
  readonly #ctx: Context;
  readonly #ends: Ends;
  readonly #optimum: Float32Array;
  readonly #steps: number[];
  readonly #copies: Model[] = [];
  #model: Model;
  readonly trained: Trained;

  constructor(ctx: Context, ends: Ends, way: Way) {
    const { params } = ctx;
    const count = parametersOf(params);
    this.#ctx = ctx;
    this.#ends = ends;
    this.#optimum = optimumOf(count);
    this.#steps = ends.workers.map(() => 0);
    this.#model = {
      version: 0,
      applied: ends.workers.map(() => 0),
      parameters: new Float32Array(count),
    };
    const gradients = way === 'synchronous' ? params.workers : 1;
    const counts = { ordered: 0, free: 0, toldByPulls: 0, pulls: 0 };
    this.trained = { way, gradients, updates: [], taken: [], ...counts };
  }

  async begin(): Promise<void> {
    await publish(this.#ctx, this.#ends.server, this.#model);
  }

  async pull(workers: readonly Worker[]): Promise<void> {
    const { server } = this.#ends;
    await Promise.all(
      workers.map(async (worker) => {
        this.#copies[worker.number] = await pull(this.#ctx, worker, server);
      }),
    );
    const { completions } = await server.endpoint.call('pollCq', { cq: server.recvCq });
    this.trained.pulls += workers.length;
    this.trained.toldByPulls += completions.length;
  }

  /** Pushes the gradients of these workers. Then the server updates the model with all of them. */
  async push(workers: readonly Worker[]): Promise<void> {
    const ctx = this.#ctx;
    const chunks = chunksOf(ctx.params).length;
    const { server } = this.#ends;
    const before = this.#model;
    for (const { number } of workers) {
      const done = this.#steps[number]!;
      if (this.#copies[number]!.applied[number] === done) this.trained.free++;
      this.#steps[number] = done + 1;
    }
    const [taken] = await Promise.all([
      take(ctx, this.#ends, workers),
      ...workers.map((worker) =>
        push(
          ctx,
          worker,
          server,
          this.#steps[worker.number]!,
          gradientOf(this.#copies[worker.number]!.parameters, this.#optimum),
        ),
      ),
    ]);
    const gradients = taken.map(({ gradient }) => gradient);
    const applied = before.applied.map((step, number) =>
      workers.some((worker) => worker.number === number) ? this.#steps[number]! : step,
    );
    const parameters = update(before.parameters, gradients, ctx.params.rate);
    this.#model = { version: before.version + 1, applied, parameters };
    await publish(ctx, server, this.#model);
    const distance = distanceOf(parameters, this.#optimum);
    for (const one of taken) {
      this.trained.taken.push(one);
      if (inOrder(one.notices, this.#steps[one.worker]!, chunks)) this.trained.ordered++;
    }
    const first = workers[0]!.number;
    const read = this.#copies[first]!.version;
    this.trained.updates.push({ worker: first, read, appliedTo: before.version, distance });
  }
}

/** All workers pull one version, and the server waits for all of them. */
async function synchronous(ctx: Context, ends: Ends): Promise<Trained> {
  const training = new Training(ctx, ends, 'synchronous');
  await training.begin();
  for (let step = 0; step < ctx.params.steps; step++) {
    await training.pull(ends.workers);
    await training.push(ends.workers);
  }
  return training.trained;
}

/** Each worker pulls again as soon as its own push is in the model. */
async function asynchronous(ctx: Context, ends: Ends): Promise<Trained> {
  const training = new Training(ctx, ends, 'asynchronous');
  await training.begin();
  await training.pull(ends.workers);
  for (let step = 0; step < ctx.params.steps; step++)
    for (const worker of ends.workers) {
      await training.push([worker]);
      await training.pull([worker]);
    }
  return training.trained;
}

export async function train(ctx: Context, ends: Ends): Promise<Trained[]> {
  const { workers, steps } = ctx.params;
  for (const worker of ends.workers) await postRecvs(ends.server, worker, chunksOf(ctx.params).length);
  const of = plural(workers * steps, 'gradient');
  return [
    await inPhase(ctx, 'synchronous', `Synchronous: ${of} in lockstep`, () => synchronous(ctx, ends)),
    await inPhase(ctx, 'asynchronous', `Asynchronous: ${of} in turns`, () => asynchronous(ctx, ends)),
  ];
}

/** Distances that the formula gives for the versions that were read. */
export const expectedOf = ({ updates }: Trained, rate: number): number[] =>
  expectedDistances(
    rate,
    updates.map(({ read }) => read),
  );
