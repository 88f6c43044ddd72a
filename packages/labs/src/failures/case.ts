/** A way to break an RDMA program: its cause, the expected evidence, and the fix. */
import type { Intended } from '@verbslab/protocol';
import type { Bench } from './bench.js';

/** Outcome of one attempt, as the program sees it. */
export interface Attempt {
  /** Status of the completion of the request; null: none came while the lab waited. */
  status: number | null;
  /** Name of the errno of the call that was refused; null: none was. */
  errno: string | null;
  /** Time from before the post to the completion, ns; null without one. Taken inside the endpoint. */
  elapsedNs: number | null;
  /** Code with which the peer’s program refused what it was sent. */
  code?: string;
  /** True if the program got what it wanted: the bytes at the right place, whole. */
  worked: boolean;
  /** Further observations, with this run's figures; a sentence. */
  seen: string;
}

/** Evidence that the broken version must show. Fields that are left out may be anything. */
export interface Expected {
  status: number | null;
  /** The call that fails. `often`: the program tries it again until there is room. */
  refused?: { call: string; errno: string; often?: true };
  /** Code of the answer of the peer’s program. */
  code?: string;
  /** An asynchronous event, without the prefix IBV_EVENT_. */
  clientEvent?: string;
  serverEvent?: string;
  /** AETH syndrome of a NAK that the client receives. */
  nak?: number;
  /** Syndrome of a NAK that may come beside it, depending on the timing. */
  mayNak?: number;
  /** Counters that must grow by at least this much, on devices that have them. */
  counters?: { side: 'client' | 'server'; name: string; atLeast: number }[];
  /** The completion comes no earlier: the device must wait this long, ns. */
  atLeastNs?: number;
  /** The client sends no packets. */
  noPackets?: boolean;
  /** Devices differ: any error or refusal will do, and so will silence. */
  devicesDiffer?: boolean;
  /** True where the broken version gets there after all, but late or by luck; null where that depends on the device. */
  worked?: boolean | null;
}

export interface FailureCase {
  id: string;
  /** The diagnosis, as an option to choose. */
  name: string;
  /** Symptom that a learner sees, without the cause. */
  symptom: string;
  cause: string;
  explanation: string;
  fix: string;
  expected: Expected;
  /** Effects beside the expected ones; none of them is a problem of the run. */
  also?: Intended[];
  /** Reason why these devices cannot show the case; null: they can. */
  lacks?: (bench: Bench) => Promise<string | null>;
  /** Runs the program, which is the same both times: `broken` decides one value. */
  run: (bench: Bench, broken: boolean) => Promise<Attempt>;
}
