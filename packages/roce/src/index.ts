/**
 * RoCEv2 packets: decode, encode, check, capture files, and the models that views draw. No I/O and no globals of
 * Node or of the browser, so it runs in both and in workers.
 */
export * from './base/types.js';
export * from './capture/types.js';
export * from './models/types.js';

// Packets
export { decodePacket } from './packet/decode.js';
export { summarizePacket } from './packet/summary.js';
export { packetRow, packetRows } from './models/rows.js';
export { isSupported, linkTypeText, locate } from './packet/locate.js';
export { Reassembler } from './packet/reassembly.js';
export type { Whole } from './packet/reassembly.js';
export type { RowSource } from './models/rows.js';
export { checkIcrc, computeIcrc } from './packet/icrc.js';
export { crc32 } from './base/crc32.js';

// Headers and opcodes
export * from './headers/index.js';
export * from './cm/index.js';
export type { AnyField, FieldDef, FieldTable, Header, ValueOf, View } from './base/header.js';
export { allOpcodes, CNP_OPCODE, opcodeInfo, opcodeName, operationName } from './base/opcodes.js';
export type { OpcodeInfo } from './base/opcodes.js';
export { RC } from './base/operations.js';
export type { Transport } from './base/operations.js';
export { allHeaders, fieldDoc, glossary } from './packet/glossary.js';
export type { FieldDoc } from './packet/glossary.js';
export { buildPacket } from './packet/build.js';
export type { PacketToBuild } from './packet/build.js';

// Capture files
export { captureRecords, MAX_RECORDS, readCapture } from './capture/read.js';
export { Gunzip, isGzip } from './capture/gunzip.js';
export type { ByteSource } from './capture/reader.js';
export { PcapngWriter, writePcap, writePcapng } from './capture/write.js';
export type { InterfaceToWrite, RecordToWrite } from './capture/write.js';
export { decodeFile } from './models/decode-file.js';
export { captureJson, isoTime, layersJson, packetLine } from './models/json.js';
export type { JsonCapture, JsonField, JsonLayer, JsonPacket } from './models/json.js';

// Filters
export * from './filter/index.js';

// Diagnosis
export * from './diagnosis/index.js';

// Captures as columns
export { connectionFilterOf, messageFilterOf } from './columns/follow.js';
export { indexCapture } from './columns/index-capture.js';
export type { IndexedCapture } from './columns/index-capture.js';
export { bitsOf, Mark, marksOf } from './models/marks.js';
export { buffersOf, NONE } from './columns/packet-columns.js';
export type { PacketColumns } from './columns/packet-columns.js';
export { BLOCK } from './columns/streams/blocks.js';
export type { Blocks } from './columns/streams/blocks.js';
export { captureStreams, relativePsn, streamBuffers } from './columns/streams/capture-streams.js';
export type { CaptureFlow, CaptureStream, CaptureStreams } from './columns/streams/capture-streams.js';
export { PacketClass } from './columns/streams/packet-class.js';

// Models
export { analyze } from './models/analyze.js';
export { arrowLabel, ladderModel } from './models/ladder.js';
export { psnTimeModel } from './models/psn-time.js';
export { summarizeCapture } from './models/capture-summary.js';
export { psnDistance, PSN_MODULUS } from './models/psn.js';
