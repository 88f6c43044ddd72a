/** Asks the device for queues at and beyond its limits. */
import type { EndpointArgs, EndpointHandle, LabContext } from '@verbslab/protocol';
import { attempt, type Attempt } from '../endpoints/attempt.js';

/** A request for a queue, and its outcome. */
export interface Ask {
  limit: 'max_qp_wr' | 'max_sge' | 'max_cqe';
  value: number;
  asked: number;
  refusal: string | null;
}

const refusalOf = (made: Attempt<'createQp' | 'createCq'>): string | null => (made.ok ? null : made.refusal);

/** Asks for `beyond` entries more than each limit. What is granted is destroyed before the next request. */
export async function askBeyond(
  ctx: LabContext<unknown>,
  endpoint: EndpointHandle,
  beyond: number,
): Promise<Ask[]> {
  const { maxQpWr, maxSge, maxCqe } = endpoint.device.limits;
  const { pd } = await endpoint.call('allocPd', {});
  const { cq } = await endpoint.call('createCq', { depth: 1 });
  const queuePair = async (options: Partial<EndpointArgs<'createQp'>>): Promise<string | null> => {
    const made = await attempt(endpoint, 'createQp', {
      pd,
      sendCq: cq,
      maxSendWr: 1,
      maxRecvWr: 1,
      ...options,
    });
    if (made.ok) await endpoint.call('destroy', { what: 'qp', handle: made.result.qp });
    return refusalOf(made);
  };
  const completionQueue = async (depth: number): Promise<string | null> => {
    const made = await attempt(endpoint, 'createCq', { depth });
    if (made.ok) await endpoint.call('destroy', { what: 'cq', handle: made.result.cq });
    return refusalOf(made);
  };
  const asks: Ask[] = [
    {
      limit: 'max_qp_wr',
      value: maxQpWr,
      asked: maxQpWr + beyond,
      refusal: await queuePair({ maxSendWr: maxQpWr + beyond }),
    },
    {
      limit: 'max_sge',
      value: maxSge,
      asked: maxSge + beyond,
      refusal: await queuePair({ maxSendSge: maxSge + beyond }),
    },
    {
      limit: 'max_cqe',
      value: maxCqe,
      asked: maxCqe + beyond,
      refusal: await completionQueue(maxCqe + beyond),
    },
  ];
  await endpoint.call('destroy', { what: 'cq', handle: cq });
  await endpoint.call('destroy', { what: 'pd', handle: pd });
  for (const { limit, value, asked, refusal } of asks)
    ctx.row('asks', { limit, value, asked, outcome: refusal ?? 'Granted.' });
  return asks;
}
