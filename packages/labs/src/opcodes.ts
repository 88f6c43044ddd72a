/** RC opcodes of the BTH that the labs' checks look for (InfiniBand Architecture, 9.2.1). */
export const RC = {
  sendFirst: 0x00,
  sendMiddle: 0x01,
  sendLast: 0x02,
  sendOnly: 0x04,
  writeFirst: 0x06,
  writeMiddle: 0x07,
  writeLast: 0x08,
  writeOnly: 0x0a,
  readRequest: 0x0c,
  readResponseFirst: 0x0d,
  readResponseMiddle: 0x0e,
  readResponseLast: 0x0f,
  readResponseOnly: 0x10,
  acknowledge: 0x11,
} as const;

const NAMES: Readonly<Record<number, string>> = {
  [RC.sendFirst]: 'SEND First',
  [RC.sendMiddle]: 'SEND Middle',
  [RC.sendLast]: 'SEND Last',
  [RC.sendOnly]: 'SEND Only',
  [RC.writeFirst]: 'WRITE First',
  [RC.writeMiddle]: 'WRITE Middle',
  [RC.writeLast]: 'WRITE Last',
  [RC.writeOnly]: 'WRITE Only',
  [RC.readRequest]: 'READ request',
  [RC.readResponseFirst]: 'READ response First',
  [RC.readResponseMiddle]: 'READ response Middle',
  [RC.readResponseLast]: 'READ response Last',
  [RC.readResponseOnly]: 'READ response Only',
  [RC.acknowledge]: 'ACK',
};

export function rcOpcodeName(opcode: number): string {
  return NAMES[opcode] ?? `opcode 0x${opcode.toString(16).padStart(2, '0')}`;
}

/** AETH syndrome 0x00 to 0x1f is an ACK; 0x20 an RNR NAK; 0x60 and more a NAK. */
export function isNak(syndrome: number | undefined): boolean {
  return syndrome !== undefined && (syndrome & 0xe0) !== 0;
}
