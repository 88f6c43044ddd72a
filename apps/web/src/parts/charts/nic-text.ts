import type { Transport } from '@verbslab/protocol';
import { sig3 } from '../../format/number';

/** NIC work in s/GB. TCP has no device of its own here: it has none, live and at the end. */
export function nicText(transport: Transport, value: number | null | undefined): string {
  return transport === 'tcp' && !value ? 'none' : sig3(value);
}
