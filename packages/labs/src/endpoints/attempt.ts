/** A call that a lab makes to see whether it is refused. */
import {
  AppError,
  type EndpointArgs,
  type EndpointHandle,
  type EndpointOp,
  type EndpointResult,
} from '@verbslab/protocol';

/** `refusal` is what the caller is told, as a sentence. */
export type Attempt<K extends EndpointOp> =
  | { ok: true; result: EndpointResult<K> }
  | { ok: false; code: string; refusal: string };

/** What the verbs library and the device answer; all else is a fault of the run. */
const REFUSALS = ['VERBS', 'BAD_PARAM', 'LIMIT'];

/** Throws what is not a refusal by the verbs: an endpoint that died, for one. */
export async function attempt<K extends EndpointOp>(
  endpoint: EndpointHandle,
  op: K,
  args: EndpointArgs<K>,
): Promise<Attempt<K>> {
  try {
    return { ok: true, result: await endpoint.call(op, args) };
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSALS.includes(error.code)) throw error;
    return { ok: false, code: error.code, refusal: error.info.message };
  }
}
