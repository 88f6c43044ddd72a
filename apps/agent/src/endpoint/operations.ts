/** All commands of the endpoint RPC, by name. */
import { ENDPOINT_OPS, AppError, issueText, type EndpointOp, type EndpointResult } from '@verbslab/protocol';
import type { z } from 'zod';
import { cmManyOperations } from './cm-many-operations.js';
import { cmOperations } from './cm-operations.js';
import { costOperations } from './cost-operations.js';
import { deviceOperations } from './device-operations.js';
import { factsOperations } from './facts-operations.js';
import { handOperations } from './hand-operations.js';
import { instrumentOperations } from './instrument-operations.js';
import { lambdaOperations } from './lambda-operations.js';
import { loopOperations } from './loop-operations.js';
import { memoryCostOperations } from './memory-cost-operations.js';
import { memoryOperations } from './memory-operations.js';
import { queueOperations } from './queue-operations.js';
import type { Session } from './session.js';
import { messageOperations } from './message-operations.js';
import { noticeOperations } from './notice-operations.js';
import { roundOperations } from './round-operations.js';
import { timedOperations } from './timed-operations.js';
import { verbsOperations } from './verbs-operations.js';

/** Arguments as the schema leaves them. */
export type Parsed<K extends EndpointOp> = z.output<(typeof ENDPOINT_OPS)[K]['args']>;
export type Operation<K extends EndpointOp> = (
  session: Session,
  args: Parsed<K>,
) => EndpointResult<K> | Promise<EndpointResult<K>>;
/** `close` is the process's own affair. */
export type Operations<K extends EndpointOp = Exclude<EndpointOp, 'close'>> = { [Op in K]: Operation<Op> };

const OPERATIONS: Operations = {
  ...deviceOperations,
  ...memoryOperations,
  ...memoryCostOperations,
  ...queueOperations,
  ...verbsOperations,
  ...cmOperations,
  ...cmManyOperations,
  ...handOperations,
  ...costOperations,
  ...lambdaOperations,
  ...loopOperations,
  ...factsOperations,
  ...messageOperations,
  ...noticeOperations,
  ...roundOperations,
  ...timedOperations,
  ...instrumentOperations,
};

/** Checks the arguments and carries the command out. Throws AppError or VerbsError. */
export async function operate(
  session: Session,
  op: Exclude<EndpointOp, 'close'>,
  rawArgs: unknown,
): Promise<unknown> {
  const args = ENDPOINT_OPS[op].args.safeParse(rawArgs);
  if (!args.success) {
    throw new AppError('BAD_MESSAGE', { detail: `${op}: ${issueText(args.error)}` });
  }
  return (OPERATIONS[op] as Operation<EndpointOp>)(session, args.data);
}
