/**
 * Where the rows of a Parquet file are. The metadata of five million rows has 48,000 descriptions of column chunks: as
 * objects they take 60 MB, and to read them at once stops the event loop. So they are read a few groups at a time, and
 * only their places are kept, in five bytes each.
 */

import { setImmediate } from 'node:timers/promises';
import type { DataReader, SchemaElement } from 'hyparquet';
import { ConvertedTypes, FieldRepetitionTypes, ParquetTypes } from 'hyparquet/src/constants.js';
import {
  deserializeTCompactProtocol,
  readVarInt,
  readZigZag,
  readZigZagBigInt,
} from 'hyparquet/src/thrift.js';

export type ParquetIndex = {
  readonly columns: readonly SchemaElement[];
  /** Rows of the file up to the end of each group. */
  readonly rowEnds: Float64Array;
  /** Where each group begins and ends in the file. */
  readonly groupStarts: Float64Array;
  readonly groupEnds: Float64Array;
  /** Where each column of each group begins, from the begin of its group. */
  readonly chunkStarts: Uint32Array;
  /** Of each column of each group, as numbers of parquet.thrift. */
  readonly codecs: Uint8Array;
  readonly byteLength: number;
};

/** The length of the metadata and the magic number. */
export const trailerBytes = 8;
const magic = 0x31524150;

/** Throws if these are not the last bytes of a Parquet file. */
export function metadataLength(tail: Buffer): number {
  const at = tail.length - trailerBytes;
  if (at < 0 || tail.readUInt32LE(at + 4) !== magic) throw new Error('not a Parquet file');
  return tail.readUInt32LE(at);
}

type Fields = Readonly<Record<string, unknown>>;
const fields = { schema: 2, groups: 4 } as const;
const thriftTypes = { stop: 0, int32: 5, int64: 6, binary: 8, list: 9 } as const;
/** About two milliseconds, and 20 before the code is compiled. */
const groupsAtOnce = 16;

/** `metadata`: without the trailer. */
export async function readIndex(metadata: Buffer): Promise<ParquetIndex> {
  const reader = { view: viewOf(metadata), offset: 0 };
  let columns: readonly SchemaElement[] = [];
  let index: ParquetIndex | undefined;
  let id = 0;
  while (true) {
    const byte = reader.view.getUint8(reader.offset++);
    const type = byte & 0x0f;
    if (type === thriftTypes.stop) break;
    id = byte >> 4 === 0 ? readZigZag(reader) : id + (byte >> 4);
    if (id === fields.schema) columns = readSchema(reader);
    else if (id === fields.groups) index = await readGroups(reader, columns);
    else skipField(reader, type);
  }
  if (index === undefined) throw new Error('the Parquet file has no list of groups');
  return index;
}

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

function listLength(reader: DataReader): number {
  const short = reader.view.getUint8(reader.offset++) >> 4;
  return short === 15 ? readVarInt(reader) : short;
}

/** Fields of the file that are not used: those that our writer writes. */
function skipField(reader: DataReader, type: number): void {
  if (type === thriftTypes.int32) readVarInt(reader);
  else if (type === thriftTypes.int64) readZigZagBigInt(reader);
  else if (type === thriftTypes.binary) {
    const length = readVarInt(reader);
    reader.offset += length;
  } else throw new Error(`the Parquet file has a field of the unknown type ${type}`);
}

/** The first element is the root. */
function readSchema(reader: DataReader): readonly SchemaElement[] {
  const elements = Array.from({ length: listLength(reader) }, () =>
    deserializeTCompactProtocol(reader),
  );
  return elements.slice(1).map((element) => toColumn(element));
}

function toColumn(element: Fields): SchemaElement {
  const { field_1: type, field_2: length, field_3: repetition, field_4: name } = element;
  const { field_6: converted, field_7: scale, field_10: logical } = element;
  const [physical, convertedType] = [ParquetTypes[Number(type)], ConvertedTypes[Number(converted)]];
  const repetitionType = FieldRepetitionTypes[Number(repetition)];
  return {
    name: Buffer.from(name as Uint8Array).toString(),
    ...(physical !== undefined && { type: physical }),
    ...(repetitionType !== undefined && { repetition_type: repetitionType }),
    ...(convertedType !== undefined && { converted_type: convertedType }),
    ...(typeof length === 'number' && { type_length: length }),
    ...(typeof scale === 'number' && { scale }),
    ...(isUuid(logical) && { logical_type: { type: 'UUID' } as const }),
  };
}

const isUuid = (logical: unknown): boolean =>
  typeof logical === 'object' && logical !== null && 'field_14' in logical;

async function readGroups(
  reader: DataReader,
  columns: readonly SchemaElement[],
): Promise<ParquetIndex> {
  const count = listLength(reader);
  const chunkCount = count * columns.length;
  const index = {
    columns,
    rowEnds: new Float64Array(count),
    groupStarts: new Float64Array(count),
    groupEnds: new Float64Array(count),
    chunkStarts: new Uint32Array(chunkCount),
    codecs: new Uint8Array(chunkCount),
    byteLength: count * 24 + chunkCount * 5 + columns.length * 200,
  };
  let rows = 0;
  for (let group = 0; group < count; group++) {
    const { field_1: chunks, field_3: rowCount } = deserializeTCompactProtocol(reader);
    rows += Number(rowCount);
    index.rowEnds[group] = rows;
    placeChunks(index, group, chunks as readonly Fields[]);
    if (group % groupsAtOnce === groupsAtOnce - 1) await setImmediate();
  }
  return index;
}

function placeChunks(index: ParquetIndex, group: number, chunks: readonly Fields[]): void {
  if (chunks.length !== index.columns.length) throw new Error('a group has other columns');
  let end: number | undefined;
  for (const [column, { field_3: description }] of chunks.entries()) {
    const {
      field_4: codec,
      field_7: size,
      field_9: data,
      field_11: dictionary,
    } = description as Fields;
    const start = Number(dictionary ?? data);
    if (end === undefined) index.groupStarts[group] = start;
    else if (start !== end) throw new Error('the columns of a group do not follow each other');
    const place = group * index.columns.length + column;
    index.chunkStarts[place] = start - (index.groupStarts[group] ?? 0);
    index.codecs[place] = Number(codec);
    end = start + Number(size);
  }
  index.groupEnds[group] = end ?? 0;
}
