/** One way to break an RDMA program: how it is caused, what must be seen then, and how it is fixed. */
import type { Intended } from '@verbslab/protocol';
import type { Bench } from './bench.js';

/** What one attempt came to, as the program sees it. */
export interface Attempt {
  /** Status of the completion of the request; null: none came while the lab waited. */
  status: number | null;
  /** Name of the errno of the call that was refused; null: none was. */
  errno: string | null;
  /** From before the post to the completion; null without one. Taken inside the endpoint. */
  elapsedNs: number | null;
  /** Code with which the peer’s program refused what it was sent. */
  code?: string;
  /** Whether the program got what it wanted: the bytes at the right place, whole. */
  worked: boolean;
  /** What else was seen, with this run's figures; a sentence. */
  seen: string;
}

/** What must be observed of the broken version. What is left out may be anything. */
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
  /** One that may come beside it, depending on the timing. */
  mayNak?: number;
  /** Counters that must grow, on devices that have them: by at least so much. */
  counters?: { side: 'client' | 'server'; name: string; atLeast: number }[];
  /** The completion comes no earlier: the device must wait so long. */
  atLeastNs?: number;
  /** The client sends none. */
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
  /** What a learner sees, without the cause. */
  symptom: string;
  cause: string;
  explanation: string;
  fix: string;
  expected: Expected;
  /** What it causes beside what is expected; none of it is a problem of the run. */
  also?: Intended[];
  /** Why these devices cannot show it; null: they can. */
  lacks?: (bench: Bench) => Promise<string | null>;
  /** The same program both times: `broken` decides one value. */
  run: (bench: Bench, broken: boolean) => Promise<Attempt>;
}
