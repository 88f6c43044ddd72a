import {
  hex,
  hexNumber,
  ipv4Text,
  ipv6Text,
  isMappedIpv4,
  macText,
  parseIpv4,
  parseIpv6,
  parseMac,
  readUint,
  u64,
  writeU64,
  writeUint,
} from './bytes.js';
import type { Field, FieldValue, Layer, LayerId } from './types.js';

/**
 * The form of a header in this package: one table of its fields, in a file of its own:
 *
 *     export const aeth = header({ id: 'aeth', name: 'infiniband.aeth', title: '…', length: 4, fields: {
 *       syndrome: uint(0, 1, { name: 'infiniband.aeth.syndrome', label: 'Syndrome', doc: '…' }),
 *       msn: uint(1, 3, { … }),
 *     } });
 *
 * The table gives `parse` (bytes to a plain value), `emit` (a plain value to bytes), `view` (a checked window with
 * getters and setters over bytes that stay in place) and `fields` (the fields for a detail pane).
 * `parse`, `view` and `fields` return null when the bytes are too short and never throw. `emit` throws a RangeError
 * when a value does not fit, because that is a bug in the program and not a fault of the packet.
 * The stored fields of a header cover every bit of it, reserved bits too, so emit(parse(x)) is x.
 */
export interface FieldOptions<T> {
  name: string;
  label: string;
  doc: string;
  /** Bits of the field within its bytes, big-endian; up to 32 bits. */
  mask?: number;
  /** True if Wireshark has no field of this name. */
  ours?: boolean;
  /** Digits of hexadecimal to show instead of decimal. */
  hex?: number;
  text?: (value: T) => string;
  /** Display-only parts of this field; offsets count from the header, as the field's own does. */
  parts?: (value: T, bytes: Uint8Array, headerOffset: number) => AnyField[];
}

/** Type of the value in a field's bytes. */
export type FieldKind = 'uint' | 'uint64' | 'flag' | 'bytes' | 'mac' | 'ipv4' | 'ipv6';

export interface FieldDef<T> {
  kind: FieldKind;
  offset: number;
  length: number;
  options: FieldOptions<T>;
  /** Marks the value type as T; never present at run time. */
  readonly type?: T;
  read(b: Uint8Array, headerOffset: number): T;
  write(b: Uint8Array, headerOffset: number, value: T): void;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a table holds fields of every value type
export type AnyField = FieldDef<any>;

/** An unsigned number of 1 to 4 bytes, or the bits of it that `mask` selects. */
export function uint(offset: number, length: number, options: FieldOptions<number>): FieldDef<number> {
  const whole = length === 4 ? 0xffffffff : (1 << (length * 8)) - 1;
  const mask = options.mask ?? whole;
  const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
  const max = mask >>> shift;
  return {
    kind: 'uint',
    offset,
    length,
    options,
    read: (b, h) => ((readUint(b, h + offset, length) & mask) >>> shift) >>> 0,
    write(b, h, value) {
      if (!Number.isInteger(value) || value < 0 || value > max)
        throw new RangeError(`${options.name}: ${value} is not a whole number from 0 to ${max}`);
      const old = readUint(b, h + offset, length);
      writeUint(b, h + offset, length, ((old & ~mask) | (value << shift)) >>> 0);
    },
  };
}

/** A single bit. */
export function flag(
  offset: number,
  length: number,
  options: FieldOptions<boolean> & { mask: number },
): FieldDef<boolean> {
  const { mask } = options;
  return {
    kind: 'flag',
    offset,
    length,
    options,
    read: (b, h) => (readUint(b, h + offset, length) & mask) !== 0,
    write(b, h, value) {
      const old = readUint(b, h + offset, length);
      writeUint(b, h + offset, length, (value ? old | mask : old & ~mask) >>> 0);
    },
  };
}

/** A 64-bit number. */
export function uint64(offset: number, options: FieldOptions<bigint>): FieldDef<bigint> {
  return {
    kind: 'uint64',
    offset,
    length: 8,
    options,
    read: (b, h) => u64(b, h + offset),
    write(b, h, value) {
      if (value < 0n || value > 0xffffffffffffffffn)
        throw new RangeError(`${options.name}: ${value} does not fit in 64 bits`);
      writeU64(b, h + offset, value);
    },
  };
}

/** Bytes of a fixed length. Reading gives a view, not a copy. */
export function byteString(
  offset: number,
  length: number,
  options: FieldOptions<Uint8Array>,
): FieldDef<Uint8Array> {
  return {
    kind: 'bytes',
    offset,
    length,
    options,
    read: (b, h) => b.subarray(h + offset, h + offset + length),
    write(b, h, value) {
      if (value.length !== length)
        throw new RangeError(`${options.name}: ${value.length} bytes given, ${length} needed`);
      b.set(value, h + offset);
    },
  };
}

function address(
  kind: FieldKind,
  offset: number,
  length: number,
  options: FieldOptions<string>,
  show: (b: Uint8Array, at: number) => string,
  parse: (s: string) => Uint8Array | null,
): FieldDef<string> {
  return {
    kind,
    offset,
    length,
    options,
    read: (b, h) => show(b, h + offset),
    write(b, h, value) {
      const bytes = parse(value);
      if (!bytes) throw new RangeError(`${options.name}: '${value}' is not an address of this kind`);
      b.set(bytes, h + offset);
    },
  };
}

export const mac = (offset: number, o: FieldOptions<string>): FieldDef<string> =>
  address('mac', offset, 6, o, macText, parseMac);
export const ipv4Address = (offset: number, o: FieldOptions<string>): FieldDef<string> =>
  address('ipv4', offset, 4, o, ipv4Text, parseIpv4);
export const ipv6Address = (offset: number, o: FieldOptions<string>): FieldDef<string> =>
  address('ipv6', offset, 16, o, ipv6Text, parseIpv6);

/** A GID; when it holds an IPv4 address, that is shown as a part under the name Wireshark gives it. */
export function gid(offset: number, o: FieldOptions<string> & { ipv4Name?: string }): FieldDef<string> {
  const { ipv4Name, ...options } = o;
  if (ipv4Name !== undefined)
    options.parts = (_value, b, h) =>
      isMappedIpv4(b, h + offset)
        ? [
            ipv4Address(offset + 12, {
              name: ipv4Name,
              label: `${o.label} (IPv4)`,
              doc: o.doc,
            }),
          ]
        : [];
  return ipv6Address(offset, options);
}
export type FieldTable = Record<string, AnyField>;
export type ValueOf<F extends FieldTable> = {
  [K in keyof F]: F[K] extends FieldDef<infer T> ? T : never;
};

/** A window over a header in place: reading and setting a property reads and sets the bytes. */
export type View<F extends FieldTable> = ValueOf<F> & { readonly bytes: Uint8Array; readonly offset: number };

export interface HeaderDefinition<F extends FieldTable> {
  id: LayerId;
  /** Wireshark's name of the whole header. */
  name: string;
  title: string;
  /** Bytes; for headers with options, the fixed part. */
  length: number;
  fields: F;
}

export interface Header<F extends FieldTable> extends HeaderDefinition<F> {
  parse(bytes: Uint8Array, offset?: number): ValueOf<F> | null;
  /** Writes `length` bytes at `offset` (zeroing them first) and returns how many. */
  emit(value: ValueOf<F>, bytes: Uint8Array, offset?: number): number;
  /** The header alone, in new bytes. */
  bytes(value: ValueOf<F>): Uint8Array;
  view(bytes: Uint8Array, offset?: number): View<F> | null;
  /**
   * Null when the bytes are too short. `length` is that of the layer: more than the header's own where there are
   * options, less where its last fields belong to another layer.
   */
  layer(bytes: Uint8Array, offset?: number, length?: number): Layer | null;
}

export function header<F extends FieldTable>(def: HeaderDefinition<F>): Header<F> {
  const entries = Object.entries(def.fields);
  const fits = (bytes: Uint8Array, offset: number) => offset >= 0 && offset + def.length <= bytes.length;

  class HeaderView {
    constructor(
      readonly bytes: Uint8Array,
      readonly offset: number,
    ) {}
  }
  for (const [key, field] of entries) {
    Object.defineProperty(HeaderView.prototype, key, {
      enumerable: true,
      get(this: HeaderView): unknown {
        return field.read(this.bytes, this.offset);
      },
      set(this: HeaderView, value: unknown) {
        field.write(this.bytes, this.offset, value);
      },
    });
  }

  const self: Header<F> = {
    ...def,
    parse(bytes, offset = 0) {
      if (!fits(bytes, offset)) return null;
      const value: Record<string, unknown> = {};
      for (const [key, field] of entries) value[key] = field.read(bytes, offset);
      return value as ValueOf<F>;
    },
    emit(value, bytes, offset = 0) {
      if (!fits(bytes, offset))
        throw new RangeError(
          `${def.name}: ${def.length} bytes do not fit at offset ${offset} of ${bytes.length}`,
        );
      bytes.fill(0, offset, offset + def.length);
      for (const [key, field] of entries) field.write(bytes, offset, value[key]);
      return def.length;
    },
    bytes(value) {
      const out = new Uint8Array(def.length);
      self.emit(value, out);
      return out;
    },
    view(bytes, offset = 0) {
      return fits(bytes, offset) ? (new HeaderView(bytes, offset) as View<F>) : null;
    },
    layer(bytes, offset = 0, length = def.length) {
      if (!fits(bytes, offset)) return null;
      const fields: Field[] = [];
      for (const [, field] of entries)
        if (field.offset + field.length <= length) describe(field, bytes, offset, fields);
      return { id: def.id, name: def.name, title: def.title, offset, length, fields };
    },
  };
  return self;
}

/** Appends the display form of a field, and of its parts, to `into`. */
export function describe(def: AnyField, bytes: Uint8Array, headerOffset: number, into: Field[]): void {
  const { options } = def;
  const value = def.read(bytes, headerOffset) as FieldValue;
  into.push({
    name: options.name,
    inWireshark: !options.ours,
    label: options.label,
    offset: headerOffset + def.offset,
    length: def.length,
    ...(options.mask === undefined ? {} : { mask: options.mask }),
    value,
    text: options.text ? options.text(value) : defaultText(value, options.hex),
    doc: options.doc,
  });
  if (options.parts)
    for (const part of options.parts(value, bytes, headerOffset)) describe(part, bytes, headerOffset, into);
}

function defaultText(value: FieldValue, hexDigits: number | undefined): string {
  if (typeof value === 'number') return hexDigits === undefined ? String(value) : hexNumber(value, hexDigits);
  if (typeof value === 'bigint') return hexNumber(value, 16);
  if (typeof value === 'boolean') return value ? 'Set' : 'Not set';
  return typeof value === 'string' ? value : hex(value, 32);
}
