'use client';
import type { Diagnosis } from '@verbslab/roce';
import { useState } from 'react';
import { Button } from '../ui/button';

/** Form for further UDP ports of RoCE, shown if packets are not RoCE. Reads the capture again. */
export function RocePorts(props: {
  diagnosis: Diagnosis;
  ports: readonly number[];
  onPorts: (ports: number[]) => void;
}) {
  const { diagnosis, ports, onPorts } = props;
  const [text, setText] = useState(ports.join(', '));
  if (ports.length === 0 && !diagnosis.findings.some(({ id }) => id === 'not-roce')) return null;
  const wanted = portsOf(text);
  return (
    <form
      className="mb-2 flex flex-wrap items-center gap-2 text-13"
      onSubmit={(e) => {
        e.preventDefault();
        if (wanted) onPorts(wanted);
      }}
    >
      <label className="flex items-center gap-2">
        RoCE ports besides 4791
        <input
          className="num h-8 w-32 rounded-[4px] border bg-panel px-2 pointer-coarse:h-11"
          inputMode="numeric"
          value={text}
          placeholder="4792, 1021"
          aria-invalid={wanted === null}
          onChange={(e) => setText(e.target.value)}
        />
      </label>
      <Button type="submit" disabled={wanted === null}>
        Read again
      </Button>
      {wanted === null ? (
        <span className="text-error-ink">
          Write up to 16 port numbers from 1 to 65535, separated by commas.
        </span>
      ) : null}
    </form>
  );
}

const MAX_PORTS = 16;

/** UDP ports in a text; null if the text has anything else. */
export function portsOf(text: string): number[] | null {
  if (text.trim() === '') return [];
  const ports = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  const right = ports.length <= MAX_PORTS && ports.every((n) => Number.isInteger(n) && n >= 1 && n <= 65_535);
  return right ? ports : null;
}
