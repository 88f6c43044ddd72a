import { AppError, type LabContext, type LabDescription } from '@verbslab/protocol';
import type { RunnableLab } from '../../src/runs/lab.js';

type Procedure = (ctx: LabContext<Record<string, unknown>>) => Promise<void>;

function lab(description: Partial<LabDescription> & { id: string }, run: Procedure): RunnableLab {
  return {
    description: {
      title: description.id,
      question: 'Does it hold?',
      summary: 'For tests.',
      params: { type: 'object', properties: { count: { type: 'number', default: 3 } } },
      roles: [],
      watch: [],
      checks: [],
      needs: [],
      wants: [],
      ...description,
    },
    parse(input) {
      for (const [param, value] of Object.entries(input)) {
        if (param !== 'count')
          throw new AppError('UNKNOWN_PARAM', { lab: description.id, param, known: 'count' });
        if (!Number.isInteger(Number(value))) {
          throw new AppError('BAD_PARAM', { param, detail: 'not a number', hint: 'Give a whole number.' });
        }
      }
      return { count: Number(input.count ?? 3) };
    },
    run: run,
  };
}

export const aborted = (ctx: LabContext<unknown>): Promise<never> =>
  new Promise((_, reject) => {
    ctx.signal.addEventListener('abort', () => reject(new AppError('CANCELLED')), { once: true });
  });

const roles = [
  { name: 'client', title: 'Client' },
  { name: 'server', title: 'Server' },
];

/** Ends at once, with notes, a check and figures. */
export const quick = lab({ id: 'quick' }, async (ctx) => {
  const { count } = ctx.params as { count: number };
  for (let i = 0; i < count; i++) ctx.note(`note ${i}`);
  ctx.progress(0.5, 'half way', 1);
  ctx.check('counted', true, `${count} notes`);
  ctx.transport('tcp', {
    goodputGbps: 1,
    messagesPerSecond: 2,
    cpuSecondsPerGB: { app: 0.1, nic: null, kernel: 0.2 },
    latencyUs: null,
    bytes: 10,
    messages: 2,
    seconds: 1,
  });
  await Promise.resolve();
});

/** Writes a note a millisecond until it is stopped. */
export const endless = lab({ id: 'endless' }, async (ctx) => {
  let n = 0;
  const timer = setInterval(() => ctx.note(`tick ${n++}`), 1);
  try {
    await aborted(ctx);
  } finally {
    clearInterval(timer);
  }
});

/** Two endpoints and a command that never answers. */
export const waiting = lab({ id: 'waiting', roles }, async (ctx) => {
  ctx.source('client', { transport: 'rdma', role: 'client', what: 'loop', label: 'RDMA' });
  ctx.note('ready');
  await ctx.endpoint('client').call('cpu', {});
});

/** Two endpoints, and nothing to do. */
export const brief = lab({ id: 'brief', roles }, (ctx) => Promise.resolve(ctx.note('done')));

/** Kills its client and goes on with the server. */
export const killing = lab({ id: 'killing', roles }, async (ctx) => {
  const client = ctx.endpoint('client');
  await ctx.kill('client');
  const left = await client.call('cpu', {}).then(
    () => 'answered',
    (error: unknown) => (error as AppError).code,
  );
  ctx.note(`the client: ${left}`);
});

/** Ignores cancellation altogether. */
export const stubborn = lab({ id: 'stubborn', roles }, async () => {
  await new Promise(() => undefined);
});

export const stepwise = lab(
  {
    id: 'stepwise',
    steps: ['one', 'two', 'three'].map((id) => ({ id, title: id, text: id })),
  },
  async (ctx) => {
    for (const id of ['one', 'two', 'three']) await ctx.step(id, () => Promise.resolve(ctx.note(`in ${id}`)));
  },
);

export const failing = lab({ id: 'failing' }, async (ctx) => {
  ctx.note('before');
  await Promise.reject(new AppError('BAD_HANDLE', { what: 'QP', handle: 4 }));
});

export const broken = lab({ id: 'broken' }, async () => {
  await Promise.resolve();
  throw new TypeError('x is not a function');
});

/** Leaves a promise behind that rejects when nothing waits for it, and ends well. */
export const careless = lab({ id: 'careless' }, async () => {
  void Promise.reject(new RangeError('left behind'));
  await new Promise((done) => setImmediate(done));
});

/** Needs something that the test device does not have. */
export const needy = lab({ id: 'needy', needs: ['faults'] }, () => Promise.resolve());

/** Simulates a small fabric, and then one that does not end. */
export const simulating = lab({ id: 'simulating', simulated: true }, async (ctx) => {
  const incast = { topology: { kind: 'star', hosts: 3 }, sample_us: 10 } as const;
  const bytes = 100_000;
  await ctx.simulate(
    { ...incast, until_done: true, traffic: [{ kind: 'incast', to: 0, bytes }] },
    { title: 'first' },
  );
  ctx.check('ended', true, 'The first simulation ended.');
  await ctx.simulate(
    { ...incast, duration_us: 1e8, sample_us: 1000, traffic: [{ kind: 'incast', to: 0 }] },
    { title: 'second', onTime: (us) => ctx.note(`${us} µs`) },
  );
});

export const LABS = [
  quick,
  endless,
  waiting,
  brief,
  killing,
  stubborn,
  stepwise,
  failing,
  broken,
  careless,
  needy,
  simulating,
];
