import { EventEmitter } from 'node:events';
import {
  AppError,
  errorInfo,
  isFinalSweep,
  MAX_SWEEP_RUNS,
  runFigures,
  sweepOrder,
  toErrorInfo,
  type AgentMessage,
  type Measurement,
  type SweepPlan,
  type SweepRecord,
} from '@verbslab/protocol';
import { answers, hear, type Subsystem } from '../base/subsystem.js';
import type { Logger } from '../base/log.js';
import type { RunManager } from '../runs/manager.js';
import type { SweepList, SweepStore } from '../store/sweep-store.js';

interface SweepEvents {
  changed: [SweepRecord];
  measured: [sweepId: string, Measurement];
}

export interface SweepsOptions {
  manager: RunManager;
  store: SweepStore;
  /** Name of this machine. */
  host: string;
  logger: Logger;
}

/** A sweep that has not ended. */
interface Active {
  record: SweepRecord;
  /** Resolves when the loop of the sweep has stopped; null while the sweep waits or is paused. */
  loop: Promise<void> | null;
}

/** Runs sweeps, one at a time, in the order they were started. Each of its runs is an ordinary run. */
export class Sweeps extends EventEmitter<SweepEvents> implements Subsystem {
  readonly messages = answers({
    'sweep.list': ({ limit = 50 }) => this.list(limit),
    'sweep.start': async ({ type: _, id: __, ...plan }) => this.get((await this.start(plan)).id),
    'sweep.pause': ({ sweepId }) => {
      this.pause(sweepId);
      return this.get(sweepId);
    },
    'sweep.resume': ({ sweepId }) => {
      this.resume(sweepId);
      return this.get(sweepId);
    },
    'sweep.cancel': async ({ sweepId }) => {
      await this.cancel(sweepId);
      return this.get(sweepId);
    },
    'sweep.get': ({ sweepId }) => this.get(sweepId),
  });
  readonly #options: SweepsOptions;
  readonly #active = new Map<string, Active>();
  #closing = false;

  constructor(options: SweepsOptions) {
    super();
    this.#options = options;
    this.setMaxListeners(0);
    options.manager.reserved = () => this.#reserved();
  }

  changes(send: (message: AgentMessage) => void): () => void {
    return hear<SweepEvents>(this, {
      changed: (sweep) => send({ type: 'sweep.changed', sweep }),
      measured: (sweepId, measurement) => send({ type: 'sweep.measured', sweepId, measurement }),
    });
  }

  /** Returns RUN_BUSY while a sweep runs, also between its runs. */
  #reserved(): AppError | null {
    const running = this.#running();
    if (!running) return null;
    const { number } = running.record;
    return new AppError('RUN_BUSY', {
      what: `Sweep ${number}`,
      host: this.#options.host,
      hint: `Wait for it, or run \`verbslab sweeps pause ${number}\` or \`verbslab sweeps cancel ${number}\`.`,
    });
  }

  /** Starts a sweep, after a check of every point and its places. Throws AppError. */
  async start(plan: SweepPlan): Promise<SweepRecord> {
    const { manager, store } = this.#options;
    const total = plan.points.length * plan.repeat;
    if (total > MAX_SWEEP_RUNS)
      throw new AppError('LIMIT', { what: 'Too many runs in a sweep', value: total, limit: MAX_SWEEP_RUNS });
    for (const point of plan.points) {
      const missing = plan.axes.find(({ param }) => !Object.hasOwn(point, param));
      if (missing) {
        const hint = 'Give each point a value for every swept parameter.';
        throw new AppError('BAD_PARAM', {
          param: missing.param,
          detail: 'a point has no value for it',
          hint,
        });
      }
    }
    await manager.check(plan.points.map((point) => ({ ...plan, params: { ...plan.params, ...point } })));
    const record = store.create(manager.titleOf(plan.lab), plan);
    this.#active.set(record.id, { record, loop: null });
    this.emit('changed', record);
    this.#next();
    return this.get(record.id).sweep;
  }

  get(id: string): { sweep: SweepRecord; measurements: Measurement[] } {
    const sweep = this.#active.get(id)?.record ?? this.#options.store.get(id);
    return { sweep, measurements: this.#options.store.measurements(sweep.number) };
  }

  list(limit: number): SweepList {
    const { sweeps, unreadable } = this.#options.store.list(limit);
    return { sweeps: sweeps.map((one) => this.#active.get(one.id)?.record ?? one), unreadable };
  }

  pause(id: string): SweepRecord {
    const active = this.#need(id, ['queued', 'running']);
    const paused = this.#set(active, { state: 'paused' });
    this.#next();
    return paused;
  }

  resume(id: string): SweepRecord {
    const active = this.#need(id, ['paused']);
    this.#set(active, { state: 'queued', error: null });
    this.#next();
    return active.record;
  }

  /** Cancels a sweep. Resolves when its run has ended, too. */
  async cancel(id: string): Promise<SweepRecord> {
    const active = this.#need(id, ['queued', 'running', 'paused']);
    this.#end(active, { state: 'cancelled' });
    const { runId } = active.record;
    if (runId !== null) await this.#options.manager.cancel(runId).catch(() => undefined);
    await active.loop;
    this.#next();
    return active.record;
  }

  /** Stops the sweeps before the runs are interrupted: no further run starts. */
  async close(): Promise<void> {
    this.#closing = true;
    const loops = [...this.#active.values()].flatMap((active) => {
      if (active.record.state !== 'paused')
        this.#end(active, { state: 'interrupted', error: errorInfo('INTERRUPTED') });
      return active.loop ? [active.loop] : [];
    });
    await this.#options.manager.close();
    await Promise.all(loops);
  }

  #running(): Active | undefined {
    return [...this.#active.values()].find(({ record }) => record.state === 'running');
  }

  #need(id: string, states: readonly SweepRecord['state'][]): Active {
    const record = this.#active.get(id)?.record ?? this.#options.store.get(id);
    if (!states.includes(record.state))
      throw new AppError('SWEEP_STATE', { state: record.state, needed: states.join(' or ') });
    const active = this.#active.get(id) ?? { record, loop: null };
    this.#active.set(id, active);
    return active;
  }

  #set(active: Active, change: Partial<SweepRecord>): SweepRecord {
    active.record = { ...active.record, ...change };
    this.#options.store.save(active.record);
    this.emit('changed', active.record);
    return active.record;
  }

  #end(active: Active, change: Partial<SweepRecord>): void {
    this.#set(active, { ...change, endedAt: Date.now(), secondsLeft: null });
  }

  /** Starts the loop of the first waiting sweep, once no other one runs. A paused loop ends first. */
  #next(): void {
    if (this.#closing || this.#running()) return;
    if ([...this.#active.values()].some(({ loop }) => loop !== null)) return;
    const active = [...this.#active.values()].find(({ record }) => record.state === 'queued');
    if (!active) return;
    const startedAt = active.record.startedAt ?? Date.now();
    this.#set(active, { state: 'running', startedAt });
    active.loop = this.#loop(active)
      .catch((error: unknown) => {
        this.#options.logger.error({ sweep: active.record.id, err: error }, 'sweep ended');
        if (!isFinalSweep(active.record.state))
          this.#end(active, { state: 'failed', error: toErrorInfo(error) });
      })
      .then(() => {
        active.loop = null;
        if (isFinalSweep(active.record.state)) this.#active.delete(active.record.id);
        this.#next();
      });
  }

  async #loop(active: Active): Promise<void> {
    const { plan, number } = active.record;
    const measured = this.#options.store.measurements(number);
    const order = sweepOrder(plan.points.length, plan.repeat);
    for (let position = measured.length; position < order.length; position++) {
      if (active.record.state !== 'running') return;
      const one = await this.#measure(active, position, order[position]!);
      if (one === null) return;
      measured.push(one);
      const mean = measured.reduce((sum, { seconds }) => sum + seconds, 0) / measured.length;
      this.#options.store.add(number, one);
      this.emit('measured', active.record.id, one);
      const left = order.length - measured.length;
      const over = isFinalSweep(active.record.state);
      this.#set(active, {
        measured: measured.length,
        runId: null,
        secondsLeft: over ? null : mean * left,
      });
    }
    if (isFinalSweep(active.record.state)) return;
    const failed = measured.every(({ state }) => state !== 'done');
    this.#end(active, { state: failed ? 'failed' : 'done', error: failed ? measured[0]!.error : null });
  }

  /** Makes a run from start to end. Null if the sweep cannot go on now. */
  async #measure(
    active: Active,
    position: number,
    { point, round }: { point: number; round: number },
  ): Promise<Measurement | null> {
    const { plan, id, number } = active.record;
    const { lab, params, variation, device, endpoints } = plan;
    const begun = performance.now();
    const ended = (): Pick<Measurement, 'position' | 'point' | 'round' | 'seconds'> => ({
      position,
      point,
      round,
      seconds: (performance.now() - begun) / 1000,
    });
    try {
      const asked = { lab, params: { ...params, ...plan.points[point] }, mode: 'all' as const };
      const run = await this.#options.manager.start(
        {
          ...asked,
          ...(variation === undefined ? {} : { variation }),
          ...(device === undefined ? {} : { device }),
          ...(endpoints === undefined ? {} : { endpoints }),
        },
        { id, number, point, round },
      );
      this.#set(active, { runId: run.id });
      // The sweep was cancelled while the run was being started.
      if (isFinalSweep(active.record.state)) void this.#options.manager.cancel(run.id).catch(() => undefined);
      const { state, result, error } = await this.#options.manager.ended(run.id);
      return { ...ended(), runId: run.id, state, figures: result ? runFigures(result) : {}, error };
    } catch (error) {
      const reason = toErrorInfo(error);
      if (isFinalSweep(active.record.state)) return null;
      if (reason.code === 'RUN_BUSY') {
        this.#set(active, { state: 'paused', error: reason });
        return null;
      }
      return { ...ended(), runId: null, state: 'failed', figures: {}, error: reason };
    }
  }
}
