/** Events that endpoints and registered programs may report. The agent that owns the run writes all others itself. */
import { z } from 'zod';
import { MAX_RUN_NS } from './decode-frames.js';
import { EVENT_BODIES, MAX_KIND, tolerate, zEventBody, type EventKind } from './events.js';

/** Time on the run's clock, ns. */
const zTime = z.number().min(0).max(MAX_RUN_NS);

const emitted = { t: zTime.optional(), endpoint: z.string().max(100).optional() };

/** Kinds of events of a device, which an endpoint may report. */
export const ENDPOINT_EVENT_KINDS = [
  'verb',
  'qp',
  'wr',
  'completion',
  'async',
  'faults',
  'queues',
  'policies',
  'counter',
  'cpu',
  'unknown',
] as const satisfies readonly EventKind[];

/** Refuses an event that an endpoint may not report, with the reason. */
function admit(raw: unknown, ctx: z.core.$RefinementCtx): unknown {
  const event = tolerate(raw);
  const kind = (event as { kind?: unknown } | null)?.kind;
  if (typeof kind !== 'string' || (ENDPOINT_EVENT_KINDS as readonly string[]).includes(kind)) return event;
  ctx.issues.push({
    code: 'custom',
    input: raw,
    message: `an endpoint may not report a “${kind.slice(0, MAX_KIND)}” event`,
  });
  return z.NEVER;
}

/** Events of endpoints, with times on the run's clock. */
export const zEndpointEvents = z.array(
  z.preprocess(admit, z.intersection(zEventBody, z.object({ t: zTime }))),
);

/** Event that a registered program may report (`program.events`). The agent reports everything else. */
export const zProgramEvent = z.discriminatedUnion('kind', [
  EVENT_BODIES.endpoint.extend(emitted),
  EVENT_BODIES.source.extend(emitted),
  EVENT_BODIES.verb.extend(emitted),
  EVENT_BODIES.qp.extend(emitted),
  EVENT_BODIES.wr.extend(emitted),
  EVENT_BODIES.completion.extend(emitted),
  EVENT_BODIES.object.extend(emitted),
  EVENT_BODIES.finding.extend(emitted),
  EVENT_BODIES.output.extend(emitted),
  EVENT_BODIES.async.extend(emitted),
  EVENT_BODIES.faults.extend(emitted),
  EVENT_BODIES.traffic.extend(emitted),
  EVENT_BODIES.standstill.extend(emitted),
  EVENT_BODIES.queues.extend(emitted),
  EVENT_BODIES.policies.extend(emitted),
  EVENT_BODIES.counter.extend(emitted),
  EVENT_BODIES.note.extend(emitted),
  EVENT_BODIES.log.extend(emitted),
]);
export type ProgramEvent = z.infer<typeof zProgramEvent>;
