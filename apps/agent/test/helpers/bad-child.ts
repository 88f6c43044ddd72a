/** An endpoint process that opens its device and then does what BAD_CHILD says. */
import { Socket } from 'node:net';
import { encodeSeries } from '@verbslab/protocol';
import { FRAME_FD, MESSAGE_FD, readMessages, writeFrame, writeMessage } from '../../src/endpoint/wire.js';
import { device } from './device.js';

const messages = new Socket({ fd: MESSAGE_FD, readable: true, writable: true });
const frames = new Socket({ fd: FRAME_FD, readable: false, writable: true });

const DEEDS: Readonly<Record<string, (id: number) => void>> = {
  frame: () => writeFrame(frames, Buffer.from('no frame at all, whatever its length may be')),
  empty: () => {
    writeFrame(frames, new Uint8Array(0));
    writeFrame(frames, encodeSeries({ source: 1, t: 0 }, []));
  },
  'long frame': () => frames.write(Buffer.from([255, 255, 255, 255])),
  text: () => messages.write('nonsense\n'),
  deep: () => messages.write(`{"re":1,"result":${'['.repeat(5000)}${']'.repeat(5000)}}\n`),
  null: () => messages.write('null\n'),
  forged: () => writeMessage(messages, { events: [{ kind: 'run.state', state: 'done', t: 0 }] }),
  event: () => writeMessage(messages, { events: [{ kind: 'qp', t: 0 }] }),
  error: (id) => writeMessage(messages, { re: id, error: { code: 7 } }),
  // Output of more bytes than a pipe holds: the agent reads it, or this process waits forever.
  'endless line': () => {
    for (let i = 0; i < 100; i++) process.stderr.write('x'.repeat(100_000));
    process.stderr.write('\nthe last words\n', () => process.exit(3));
  },
  killed: () => process.kill(process.pid, 'SIGKILL'),
};

readMessages(
  messages,
  (raw) => {
    const { id, op } = raw as { id: number; op: string };
    if (op === 'open') writeMessage(messages, { re: id, result: { device, pid: process.pid, port: 1 } });
    else if (op === 'close') process.exit(0);
    else DEEDS[process.env.BAD_CHILD ?? '']?.(id);
  },
  () => process.exit(1),
);
messages.on('end', () => process.exit(0));
