// A program that sleeps until a completion comes, and two ways to wait for an event that never comes.
import { openDevice, VerbsError } from '@verbslab/verbs';

/** Long enough for an event to arrive, if there is one. */
const SILENT_MS = 100;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using clientCq = ctx.createCq({ depth: 16 });
await using serverCq = ctx.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
client.connect(server.info());
server.connect(client.info());
server.postRecv([1, 2, 3, 4].map((wrId) => ({ wrId })));

/** Sends a message without data. It has arrived when this returns. */
async function sendMessage(): Promise<void> {
  client.postSend({ opcode: 'SEND' });
  await clientCq.wait();
}

/** Events that came since the CQ had seen `before`, after a while at most. */
async function eventsSince(before: number): Promise<number> {
  try {
    return (await serverCq.eventAfter(before, { timeoutMs: SILENT_MS })) - before;
  } catch (error) {
    if (error instanceof VerbsError && error.code === 'ETIMEDOUT') return 0;
    throw error;
  }
}

/** Number of the message that a poll finds; 0 for none. */
function pollOnce(): number {
  return Number(serverCq.poll(1)[0]?.wrId ?? 0);
}

/** The right order: poll, arm, poll once more, and only then sleep. `wait` of a CQ does the same. */
async function sleepForMessage(): Promise<number> {
  for (;;) {
    let message = pollOnce();
    if (message > 0) return message;
    const seen = serverCq.events;
    serverCq.reqNotify();
    message = pollOnce();
    if (message > 0) return message;
    await serverCq.eventAfter(seen);
  }
}

// An armed CQ raises one event.
let seen = serverCq.events;
serverCq.reqNotify();
await sendMessage();
let events = (await serverCq.eventAfter(seen)) - seen;
console.log(`armed: ${events} event, message ${pollOnce()}`);

// After the event it is no longer armed. This program forgets to arm it again.
seen = serverCq.events;
await sendMessage();
events = await eventsSince(seen);
console.log(`not armed again: ${events} events, message ${pollOnce()} is in the CQ`);

// The CQ is empty, a message comes, and only then the program arms.
console.log(`the CQ is empty: ${pollOnce() === 0 ? 'yes' : 'no'}`);
seen = serverCq.events;
await sendMessage();
serverCq.reqNotify();
events = await eventsSince(seen);
console.log(`armed too late: ${events} events, a poll finds message ${pollOnce()}`);

await sendMessage();
console.log(`in the right order: message ${await sleepForMessage()}`);
