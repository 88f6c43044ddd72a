/**
 * Runs in a machine: starts commands for clients with the machine's token. Arguments: address, port, file of the token.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { homedir } from 'node:os';
import { sameToken } from '../../config/same-token.js';
import { Kind, FrameReader, frame, MAX_REQUEST, type ExecEnd, type ExecRequest } from '../exec-frames.js';

const [address, port, tokenFile] = process.argv.slice(2);
const token = readFileSync(tokenFile ?? '', 'utf8').trim();

const finish = (socket: Socket, end: Partial<ExecEnd>): void => {
  const all: ExecEnd = { code: null, signal: null, error: null, ...end };
  socket.end(frame(Kind.End, Buffer.from(JSON.stringify(all))));
};

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Words of the process to spawn. A terminal comes from script(1), which passes on the exit code with -e. */
function words({ command, terminal }: ExecRequest): [string, string[]] {
  const line = command ? command.map(quoted).join(' ') : 'exec /bin/sh -l';
  if (terminal) {
    const size = `stty rows ${terminal.rows} cols ${terminal.columns}`;
    return ['script', ['-q', '-e', '-c', `${size}; ${line}`, '/dev/null']];
  }
  return command ? [command[0]!, command.slice(1)] : ['/bin/sh', ['-l']];
}

function serve(socket: Socket, request: ExecRequest, reader: FrameReader): (chunk: Buffer) => void {
  const [program, args] = words(request);
  const child = spawn(program, args, {
    cwd: homedir(),
    // The command gets its own process group: processes that it started end with it.
    detached: true,
    env: {
      ...process.env,
      HOME: homedir(),
      ...(request.terminal ? { TERM: request.terminal.type } : {}),
      ...request.env,
    },
  });
  let over = false;
  child.once('error', (error) => {
    over = true;
    finish(socket, { error: error.message });
  });
  // Backpressure: a pipe is read no further while the socket is full.
  for (const [stream, kind] of [
    [child.stdout, Kind.Stdout],
    [child.stderr, Kind.Stderr],
  ] as const) {
    stream.on('data', (chunk: Buffer) => {
      if (socket.write(frame(kind, chunk))) return;
      stream.pause();
      socket.once('drain', () => stream.resume());
    });
  }
  child.stdin.on('error', () => undefined); // it has ended and reads no more
  child.once('close', (code, signal) => {
    if (!over) finish(socket, { code, signal });
    over = true;
  });
  socket.once('close', () => {
    if (over || child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process ended at this moment.
    }
  });
  return (chunk) => {
    for (const { kind, payload } of reader.read(chunk)) {
      if (kind === Kind.Stdin) child.stdin.write(payload);
      if (kind === Kind.StdinEnd) child.stdin.end();
    }
  };
}

/** Reads the line of the request; a client without the token gets an error and is disconnected. */
function greet(socket: Socket): void {
  let head = Buffer.alloc(0);
  let next: ((chunk: Buffer) => void) | null = null;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    try {
      if (next) return next(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\n');
      if (end < 0 && head.length <= MAX_REQUEST) return;
      const request = JSON.parse(head.subarray(0, Math.max(end, 0)).toString()) as Partial<ExecRequest>;
      if (typeof request.token !== 'string' || !sameToken(request.token, token))
        return finish(socket, { error: 'the token is not this machine’s' });
      // A client with the token is root here anyway: a malformed request ends in an error below.
      next = serve(socket, request as ExecRequest, new FrameReader());
      next(head.subarray(end + 1));
    } catch (error) {
      finish(socket, { error: `the request cannot be read: ${(error as Error).message}` });
    }
  });
}

createServer({ allowHalfOpen: false }, greet).listen(Number(port), address, () => {
  process.stdout.write(`commands are taken on ${address}:${port}\n`);
});
