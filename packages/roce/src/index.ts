/**
 * RoCEv2 packets: decode, encode, check, capture files, and the models that views draw. No I/O and no globals of
 * Node or of the browser, so it runs in both and in workers.
 */
export * from './types.js';

// Packets
export { decodePacket } from './decode.js';
export { summarizePacket } from './summary.js';
export { packetRow, packetRows } from './rows.js';
export { isSupported, linkTypeText, locate } from './locate.js';
export { Reassembler } from './reassembly.js';
export type { Whole } from './reassembly.js';
export type { RowSource } from './rows.js';
export { checkIcrc, computeIcrc } from './icrc.js';
export { crc32 } from './crc32.js';

// Headers and opcodes
export * from './headers/index.js';
export * from './cm/index.js';
export type { AnyField, FieldDef, FieldTable, Header, ValueOf, View } from './header.js';
export { allOpcodes, CNP_OPCODE, opcodeInfo, opcodeName, operationName } from './opcodes.js';
export type { OpcodeInfo } from './opcodes.js';
export { RC } from './operations.js';
export type { Transport } from './operations.js';
export { allHeaders, fieldDoc, glossary } from './glossary.js';
export type { FieldDoc } from './glossary.js';
export { buildPacket } from './build.js';
export type { PacketToBuild } from './build.js';

// Capture files
export { captureRecords, MAX_RECORDS, readCapture } from './capture/read.js';
export { Gunzip, isGzip } from './capture/gunzip.js';
export type { ByteSource } from './capture/reader.js';
export { PcapngWriter, writePcap, writePcapng } from './capture/write.js';
export type { InterfaceToWrite, RecordToWrite } from './capture/write.js';
export { decodeFile } from './decode-file.js';
export { captureJson, isoTime, layersJson, packetLine } from './json.js';
export type { JsonCapture, JsonField, JsonLayer, JsonPacket } from './json.js';

// Filters
export * from './filter/index.js';

// Diagnosis
export * from './diagnosis/index.js';

// Captures as columns
export { connectionFilterOf, messageFilterOf } from './columns/follow.js';
export { indexCapture } from './columns/index-capture.js';
export type { IndexedCapture } from './columns/index-capture.js';
export { bitsOf, Mark, marksOf } from './columns/marks.js';
export { buffersOf, NONE } from './columns/packet-columns.js';
export type { PacketColumns } from './columns/packet-columns.js';
export { BLOCK } from './columns/streams/blocks.js';
export type { Blocks } from './columns/streams/blocks.js';
export { captureStreams, streamBuffers } from './columns/streams/capture-streams.js';
export type { CaptureStream, CaptureStreams } from './columns/streams/capture-streams.js';
export { PacketClass } from './columns/streams/packet-class.js';

// Models
export { analyse } from './models/analyse.js';
export { arrowLabel, ladderModel } from './models/ladder.js';
export { psnTimeModel } from './models/psn-time.js';
export { summarizeCapture } from './models/capture-summary.js';
export { psnDistance, PSN_MODULUS } from './models/psn.js';
