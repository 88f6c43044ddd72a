/** Calls that a lab makes to see if they are refused. */
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

/** Error codes of the verbs library and the device; all others are faults of the run. */
const REFUSALS = ['VERBS', 'BAD_PARAM', 'LIMIT'];

/** Throws errors that are no refusal by the verbs, for example of an endpoint that died. */
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
