/** Rows A8, C2, C4 and C9 of what the labs must show. Times are not asserted. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

const registrationCost: Facts = {
  params: { largest: MIB, rounds: 3, hugePages: false },
  // Root is not limited, and neither is a user whose limit is higher.
  may: ['limit'],
  holds: ({ answer, figures, rows }) => {
    expect(rows('sizes').map(({ size, locked }) => [size, locked])).toEqual(
      [4, 16, 64, 256, 1024].map((kib) => [kib * KIB, kib * KIB]),
    );
    expect(figures.table).toBe((figures.pages ?? NaN) * 8);
    expect(answer).toContain('Registering 1 MiB took');
    const table = (size: number, page: number) =>
      rows('tables').find((row) => row.size === size && row.page === page);
    expect(table(GIB, 4 * KIB)).toMatchObject({ pages: 262_144, table: 2_097_152 });
    expect(table(16 * GIB, 4 * KIB)).toMatchObject({ pages: 4_194_304, table: 32 * MIB });
    expect(table(GIB / 2, 4 * KIB)).toMatchObject({ table: MIB });
    expect(table(GIB, 2 * MIB)).toMatchObject({ pages: 512, table: 4 * KIB });
  },
};

const mrCache: Facts = {
  params: { rounds: 3 },
  holds: ({ answer, figures, rows, of }) => {
    expect(figures).toMatchObject({ misses: 4, hits: 36, evictions: 0 });
    const messages = rows('messages');
    const sizes = [4, 8, 16, 32].map((kib) => kib * KIB);
    expect(messages.map(({ length }) => length)).toEqual(Array(10).fill(sizes).flat());
    // Warm-up, then every round with the cache and without it.
    const registrations = of('verb', 'client').filter(({ call }) => call === 'ibv_reg_mr');
    expect(registrations).toHaveLength(4 + 3 * (4 + 40) + 1);
    expect(answer).toContain('4 misses, 36 hits');
  },
};

const registerOrCopy: Facts = {
  params: { messages: 16, rounds: 3 },
  holds: ({ curves, figures, rows }) => {
    const [register, copy, find] = ['register', 'copy', 'reuse'].map((name) => figures[name]!);
    const even = copy! > find! ? Math.floor(register! / (copy! - find!)) + 1 : null;
    expect(figures['break-even']).toBe(even);
    expect(rows('sizes').map(({ size }) => size)).toEqual([4, 16, 64, 256, 1024].map((n) => n * KIB));
    expect(curves.sum).toHaveLength(3 * 16);
  },
};

export const MEMORY: Record<string, Facts> = {
  'registration-cost': registrationCost,
  'mr-cache': mrCache,
  'register-or-copy': registerOrCopy,
};
